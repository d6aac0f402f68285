import type { Manifest } from '../../../shared/governed/manifest.ts';
import { buildCommands, checkRiskTier } from './build-commands.ts';
import { buildFilesystem } from './build-filesystem.ts';
import { buildSession, millisecondsOf } from './build-session.ts';
import { controlsIn } from './controls.ts';
import type { CustomTypes } from './custom-types.ts';
import { Findings } from './findings.ts';
import { ignoredKeys } from './ignored-keys.ts';
import { type ManifestShape, manifestShape, modeShape } from './manifest-shape.ts';
import { checkShape, type Finding, parseToml } from './manifest-toml.ts';
import { nameProblem } from './names.ts';
import { shown } from './text.ts';

/** A finding with its line in the file, 1-based. */
export interface LocatedFinding {
  readonly line: number | null;
  readonly key: string;
  readonly message: string;
}

export interface ParsedManifest {
  /** Null when there is a problem. */
  readonly manifest: Manifest | null;
  readonly problems: readonly LocatedFinding[];
  readonly warnings: readonly LocatedFinding[];
}

/** Reads one manifest: everything that Symbiont checks, at load or at a call, is checked here (M3). Never throws. */
export function parseManifest(text: string, types: CustomTypes): ParsedManifest {
  const document = parseToml(text);
  if (!document.ok) return { manifest: null, problems: [{ ...document.error, key: '' }], warnings: [] };
  const { value, lineOf } = document.value;
  const findings = new Findings();
  const lineOfCommand = (name: string) => lineOf(['session', 'commands', name]) ?? 0;
  const manifest = check(value, types, findings);
  // The order of the file, which an object does not keep for names that look like numbers.
  manifest?.commands.sort((a, b) => lineOfCommand(a.name) - lineOfCommand(b.name));
  const located = ({ path, message }: Finding): LocatedFinding => ({
    line: lineOf(path),
    key: shown(path.join('.')),
    message,
  });
  return {
    manifest: findings.problems.length === 0 ? manifest : null,
    problems: findings.problems.map(located),
    warnings: findings.warnings.map(located),
  };
}

function check(document: Record<string, unknown>, types: CustomTypes, findings: Findings): Manifest | null {
  const mode = checkShape(modeShape, document);
  if (mode.ok && mode.value.tool.mode !== 'session') {
    findings.problem(['tool', 'mode'], modeProblem(mode.value.tool.mode));
    return null;
  }
  const shape = checkShape(manifestShape, document);
  if (!shape.ok) {
    findings.problems.push(...shape.error);
    return null;
  }
  findings.problems.push(...controlsIn(document));
  findings.warnings.push(...ignoredKeys(document));
  if (document['filesystem'] !== undefined && ('http' in document || 'mcp' in document)) {
    findings.problem(
      ['filesystem'],
      'filesystem grants require a command, MCP tool or terminal session: not with [http] or [mcp] (M11)',
    );
  }
  return build(shape.value, types, findings);
}

function modeProblem(mode: string): string {
  return mode === 'oneshot' || mode === 'browser'
    ? `only manifests with mode = "session" can be opened, this one is "${mode}"`
    : `Unknown ToolClad mode: ${shown(mode)}`;
}

function build(shape: ManifestShape, types: CustomTypes, findings: Findings): Manifest {
  const { tool } = shape;
  checkTool(tool, findings);
  const timeoutMs = millisecondsOf(tool.timeout_seconds, ['tool', 'timeout_seconds'], findings);
  const session = buildSession(shape.session, findings);
  const commands = buildCommands(shape, types, findings);
  return {
    name: tool.name,
    version: tool.version,
    description: tool.description,
    riskTier: tool.risk_tier,
    timeoutMs,
    cedar: tool.cedar ?? null,
    session,
    commands,
    filesystem: shape.filesystem === undefined ? null : buildFilesystem(shape.filesystem, commands, findings),
    outputFormat: shape.output.format,
  };
}

const CEDAR_TYPE = /^[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*$/;

function checkTool(tool: ManifestShape['tool'], findings: Findings): void {
  const wrongName = nameProblem(tool.name);
  if (wrongName !== null) findings.problem(['tool', 'name'], wrongName);
  if (tool.name.includes('.')) {
    findings.problem(
      ['tool', 'name'],
      `must not contain a dot: commands are called TOOL.COMMAND, split at the first dot (M4): ${shown(tool.name)}`,
    );
  }
  const wrongVersion = nameProblem(tool.version);
  if (wrongVersion !== null) findings.problem(['tool', 'version'], wrongVersion);
  checkRiskTier(tool.risk_tier, ['tool', 'risk_tier'], findings);
  if (tool.cedar === undefined) return;
  if (!CEDAR_TYPE.test(tool.cedar.resource)) {
    findings.problem(
      ['tool', 'cedar', 'resource'],
      `must be a Cedar type such as Reports::Writer, is ${shown(tool.cedar.resource)} (C2)`,
    );
  }
  const wrongAction = nameProblem(tool.cedar.action);
  if (wrongAction !== null) findings.problem(['tool', 'cedar', 'action'], wrongAction);
}
