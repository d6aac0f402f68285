import { accessSync, constants, existsSync } from 'node:fs';
import { arch, platform, release } from 'node:os';
import { dirname, join } from 'node:path';
import { problemsInWords } from '../shared/protocol/issues.ts';
import type { SettingsProblem } from '../shared/settings/schema.ts';
import { ENGINE_NAMES, type EngineStatus, fixInWords } from '../shared/terminal/engine-status.ts';
import { ownCommand } from './own-command.ts';
import type { SandboxEngine } from './sandbox/engine.ts';
import { createEngines } from './sandbox/engines.ts';
import { hasDisplay } from './server/browser.ts';
import { whyNotOwn } from './settings/data-dir.ts';
import { HostTokens } from './settings/host-tokens.ts';
import { readSettingsFile, settingsPath } from './settings/settings-file.ts';

export interface DoctorOptions {
  readonly dataDir: string;
  readonly json: boolean;
  readonly version: string;
  readonly pageFolder: string;
}

interface Findings {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly dataDir: string;
  readonly dataDirWritable: boolean;
  /** Why a host could not use it, in words. */
  readonly dataDirProblem: string | null;
  readonly display: boolean;
  readonly pageBuilt: boolean;
  /** `written`: whether the file exists; it is made at the first change. */
  readonly settings: {
    readonly path: string;
    readonly written: boolean;
    readonly problems: readonly SettingsProblem[];
  };
  readonly engines: readonly EngineStatus[];
}

/** `airlock doctor`: says what works here and what to do about the rest. False when no engine can be used. */
export async function doctor(options: DoctorOptions): Promise<boolean> {
  const findings = await examine(options);
  if (options.json) console.log(JSON.stringify(findings));
  else console.log(inWords(findings).join('\n'));
  return findings.engines.some((engine) => engine.usable);
}

async function examine({ dataDir, version, pageFolder }: DoctorOptions): Promise<Findings> {
  const path = settingsPath(dataDir);
  const { isThere: written, problems } = readSettingsFile(path);
  const dataDirProblem = problemOfFolder(dataDir);
  return {
    version,
    node: process.versions.node,
    platform: `${platform()} ${release()} ${arch()}`,
    dataDir,
    dataDirWritable: dataDirProblem === null,
    dataDirProblem,
    display: hasDisplay(),
    pageBuilt: existsSync(join(pageFolder, 'index.html')),
    settings: { path, written, problems },
    engines: await Promise.all(enginesOf(dataDir).map((engine) => engine.probe())),
  };
}

function enginesOf(dataDir: string): SandboxEngine[] {
  const tokens = new HostTokens(dataDir, 'smolvm', null);
  return createEngines({ privateFolders: [dataDir], dataDir, tokens });
}

function problemOfFolder(folder: string): string | null {
  if (!isWritable(folder)) return 'it cannot be written';
  return existsSync(folder) ? whyNotOwn(folder) : null;
}

/** Of a folder that does not exist, the nearest one above it that does decides. */
function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return dirname(folder) !== folder && isWritable(dirname(folder));
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function inWords(findings: Findings): string[] {
  return [
    `Airlock ${findings.version} on ${findings.platform}, Node ${findings.node}`,
    '',
    'Engines',
    ...enginesInWords(findings.engines),
    '',
    'Settings',
    ...settingsInWords(findings.settings),
    '',
    'Machine',
    dataDirInWords(findings),
    findings.pageBuilt
      ? line(true, 'The page is built.')
      : line(false, 'The page is not built: npm run build'),
    findings.display
      ? line(true, 'There is a display.')
      : line(true, `There is no display: ${ownCommand('serve')} prints the address to open.`),
  ];
}

function dataDirInWords({ dataDir, dataDirProblem }: Findings): string {
  if (dataDirProblem === null) return line(true, `The data folder ${dataDir} can be written.`);
  const what = `The data folder ${dataDir} cannot be used: ${dataDirProblem}.`;
  return line(false, `${what} Choose another with --data-dir.`);
}

function settingsInWords({ path, written, problems }: Findings['settings']): string[] {
  if (!written) return [line(true, `Not written yet; the defaults apply. The file will be at ${path}.`)];
  if (problems.length === 0) return [line(true, `${path}: no problems.`)];
  return [
    line(false, `${path}: the defaults are used until this is put right:`),
    ...problems.map((problem) => `      ${problemsInWords([problem])}`),
  ];
}

/** What two engines need is said once. */
function enginesInWords(engines: readonly EngineStatus[]): string[] {
  const said = new Map<string, string>();
  return engines.flatMap(({ kind, usable, summary, fixes, notes }) => {
    const name = ENGINE_NAMES[kind];
    const toDo = fixes.map(fixInWords);
    const sameAs = said.get(toDo.join('\n'));
    if (toDo.length > 0 && sameAs === undefined) said.set(toDo.join('\n'), name);
    return [
      line(usable, `${name}: ${summary}`),
      ...(sameAs === undefined ? toDo : [`as for ${sameAs}`]).map((text) => `      to do: ${text}`),
      ...notes.map((note) => `      note: ${note}`),
    ];
  });
}

function line(good: boolean, text: string): string {
  return `  ${good ? '✓' : '✗'} ${text}`;
}
