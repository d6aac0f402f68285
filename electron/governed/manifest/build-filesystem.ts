import { FILE_GRANTS } from '../../../shared/governed/limits.ts';
import type { Manifest, ManifestCommand } from '../../../shared/governed/manifest.ts';
import type { Findings } from './findings.ts';
import { grantPathProblem, referencedArgument } from './grant-paths.ts';
import type { FilesystemShape } from './manifest-shape.ts';
import { shown } from './text.ts';

const BOUNDS = `filesystem permits at most ${FILE_GRANTS.inputsMax} inputs, one new output and 1–${FILE_GRANTS.fileMaxBytes} bytes per file`;

/** `[filesystem]` (1.5, F1, M11). */
export function buildFilesystem(
  shape: FilesystemShape,
  commands: readonly ManifestCommand[],
  findings: Findings,
): NonNullable<Manifest['filesystem']> {
  const { read, create, max_file_bytes: bytes } = shape;
  const outside = (key: string, is: string) =>
    findings.problem(['filesystem', key], `${BOUNDS}; ${key} ${is}`);
  if (read.length > FILE_GRANTS.inputsMax) outside('read', `has ${read.length}`);
  if (create.length > FILE_GRANTS.outputsMax) outside('create', `has ${create.length}`);
  if (bytes < 1n || bytes > BigInt(FILE_GRANTS.fileMaxBytes)) outside('max_file_bytes', `is ${bytes}`);
  checkEntries(shape, commands, findings);
  if (create.length > 0 && !commands.some((command) => command.finalize)) {
    findings.problem(
      ['filesystem', 'create'],
      'terminal file output requires a declared finalizing command: one with finalize = true (M11)',
    );
  }
  return { read, create: create[0] ?? null, maxFileBytes: Number(bytes) };
}

function checkEntries(
  { read, create }: FilesystemShape,
  commands: readonly ManifestCommand[],
  findings: Findings,
): void {
  const seen = new Set<string>();
  for (const [key, entries] of [
    ['read', read],
    ['create', create],
  ] as const) {
    for (const [index, entry] of entries.entries()) {
      const path = ['filesystem', key, index];
      if (seen.has(entry)) findings.problem(path, `duplicate filesystem grant: ${shown(entry)}`);
      seen.add(entry);
      const argument = referencedArgument(entry);
      const wrong = argument === null ? grantPathProblem(entry) : missingArgument(argument, commands);
      if (wrong !== null) findings.problem(path, `${wrong}: ${shown(entry)}`);
    }
  }
}

/** Grants are prepared for every call, so every command needs the argument. */
function missingArgument(name: string, commands: readonly ManifestCommand[]): string | null {
  if (name === 'command') return null;
  const without = commands.filter(({ args }) => !args.some((argument) => argument.name === name));
  if (without.length === 0) return null;
  const names = without.map((command) => command.name).join(', ');
  return `missing filesystem argument ${shown(name)} in ${shown(names)}`;
}
