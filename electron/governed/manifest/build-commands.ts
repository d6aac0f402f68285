import { COMMANDS_MAX } from '../../../shared/governed/limits.ts';
import type { Argument, ManifestCommand } from '../../../shared/governed/manifest.ts';
import { compileBounded } from './bounded-pattern.ts';
import { buildArgument } from './build-argument.ts';
import type { CustomTypes } from './custom-types.ts';
import type { Findings } from './findings.ts';
import type { CommandShape, ManifestShape } from './manifest-shape.ts';
import type { KeyPath } from './manifest-toml.ts';
import { nameProblem } from './names.ts';
import { metacharacterRequired, operatorsLetThrough } from './pattern-findings.ts';
import { shown } from './text.ts';

const NO_TARGET = 'scoped session patterns must capture the actual target as (?P<target>...)';
const RISK_TIERS = ['low', 'medium', 'high'];
/** What ends a program instead of printing its prompt (author trap a). */
const ENDS_PROGRAM = ['exit', 'quit', 'exit()', 'quit()', 'logout', 'bye', '\\q', '.exit', '.quit', ':q'];

export function checkRiskTier(tier: string, path: KeyPath, findings: Findings): void {
  if (!RISK_TIERS.includes(tier)) findings.warn(path, `"${shown(tier, 40)}" is not low, medium or high`);
}

/** `[session.commands]`, in the order of the file. */
export function buildCommands(
  shape: ManifestShape,
  types: CustomTypes,
  findings: Findings,
): ManifestCommand[] {
  const path = ['session', 'commands'];
  const entries = Object.entries(shape.session.commands);
  if (entries.length > COMMANDS_MAX) {
    findings.problem(path, `at most ${COMMANDS_MAX} commands, has ${entries.length}`);
    return [];
  }
  if (entries.length === 0) findings.warn(path, 'no command is declared, so nothing can be called');
  return entries.map(([name, command]) => buildCommand(name, command, shape, types, findings));
}

function buildCommand(
  name: string,
  shape: CommandShape,
  { tool, filesystem }: ManifestShape,
  types: CustomTypes,
  findings: Findings,
): ManifestCommand {
  const path = ['session', 'commands', name];
  const publishes = (filesystem?.create.length ?? 0) > 0;
  const wrongName = nameProblem(name);
  if (wrongName !== null) findings.problem(path, `command name ${wrongName}`);
  checkRiskTier(shape.risk_tier, [...path, 'risk_tier'], findings);
  checkPattern(name, shape, [...path, 'pattern'], findings);
  return {
    name,
    pattern: shape.pattern,
    description: shape.description,
    riskTier: shape.risk_tier,
    // Stricter than A1: no manifest lets a file leave without a person.
    needsApproval: tool.human_approval || shape.human_approval || (shape.finalize && publishes),
    finalize: shape.finalize,
    extractTarget: shape.extract_target,
    args: buildArguments(shape, types, [...path, 'args'], findings),
  };
}

function buildArguments(
  shape: CommandShape,
  types: CustomTypes,
  path: KeyPath,
  findings: Findings,
): Argument[] {
  const args: Argument[] = [];
  for (const [name, argument] of Object.entries(shape.args)) {
    const wrongName = nameProblem(name);
    if (wrongName !== null) findings.problem([...path, name], `argument name ${wrongName}`);
    if (name === 'command') {
      findings.warn([...path, name], 'ignored: command is the built-in argument, the text that is sent (M6)');
      continue;
    }
    const built = buildArgument(name, argument, types, [...path, name], findings);
    if (built !== null) args.push(built);
  }
  return args.sort((a, b) => a.position - b.position);
}

function checkPattern(name: string, shape: CommandShape, path: KeyPath, findings: Findings): void {
  const compiled = compileBounded(shape.pattern, findings);
  if (!compiled.ok) {
    findings.problem(path, `X7: invalid session command pattern: ${compiled.error}`);
    return;
  }
  const pattern = compiled.value;
  if (shape.extract_target && !pattern.hasGroup('target')) findings.problem(path, NO_TARGET);
  const operators = operatorsLetThrough(pattern);
  if (operators.length > 0) {
    findings.warn(
      path,
      `admits shell operators (${operators.map(operatorName).join(' ')}): write which characters may stand there`,
    );
  }
  const required = metacharacterRequired(pattern);
  if (required !== null) {
    findings.warn(path, `can never be sent: it needs ${operatorName(required)}, which is refused (M8)`);
  }
  const ending = ENDS_PROGRAM.find((text) => pattern.matchesWhole(text));
  if (shape.finalize && (ending !== undefined || ENDS_PROGRAM.includes(name))) {
    findings.warn(
      path,
      `a finalizing command must print the prompt and stay alive: ${ending ?? name} ends the program (X31)`,
    );
  }
  pattern.free();
}

function operatorName(char: string): string {
  return char === '\n' ? 'LF' : char === '\r' ? 'CR' : char === '\0' ? 'NUL' : char;
}
