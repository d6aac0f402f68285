import type { CommandCheck, CommandRequest } from '../../../../shared/governed/call.ts';
import { COMMAND_MAX_BYTES } from '../../../../shared/governed/limits.ts';
import type { Argument, ManifestCommand } from '../../../../shared/governed/manifest.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { CompiledManifest } from '../compiled-manifest.ts';
import { shown, trim } from '../text.ts';
import { type Project, projectProblem, scopeProblem } from './project-checks.ts';
import { checkValue, metacharacterIn } from './value.ts';

/** One thing wrong with a call. `field`: an argument's name, or `command` for the text and the command itself. */
export interface CallProblem {
  readonly field: string;
  /** The rule whose text it is. */
  readonly rule: 'M7' | 'M8' | 'X7' | 'X8';
  readonly message: string;
}

export interface CheckedCall {
  readonly command: ManifestCommand;
  /** Exactly what is sent, without the line end. */
  readonly line: string;
  /** Every declared argument, normalised, and `command`: the line. */
  readonly args: Readonly<Record<string, string>>;
}

/**
 * Checks one call: M7–M10, the types of section 1.4, scope. The same function serves the check while a person types and the
 * call itself, so both say the same. Reports every field's first problem.
 */
export function checkCall(
  manifest: CompiledManifest,
  request: CommandRequest,
  project: Project,
): Result<CheckedCall, CallProblem[]> {
  const command = manifest.command(request.command);
  if (command === undefined)
    return fail([{ field: 'command', rule: 'X8', message: 'unknown session command' }]);

  const problems: CallProblem[] = unknownArguments(manifest, command, request.args);
  const line = checkLine(manifest, command, request.text, project);
  if (!line.ok) problems.push(line.error);
  const args: [string, string][] = [];
  for (const argument of command.args) {
    const given = Object.hasOwn(request.args, argument.name) ? request.args[argument.name] : undefined;
    const checked = checkArgument(argument, given, project);
    if (checked.ok) args.push([argument.name, checked.value]);
    else problems.push({ field: argument.name, ...checked.error });
  }
  if (!line.ok || problems.length > 0) return fail(problems);
  return ok({
    command,
    line: line.value,
    args: Object.fromEntries([...args, ['command', line.value]]),
  });
}

/** What the command bar shows of a check. */
export function commandCheckOf(
  manifest: CompiledManifest,
  request: CommandRequest,
  checked: Result<CheckedCall, CallProblem[]>,
): CommandCheck {
  const command = manifest.command(request.command);
  return {
    line: checked.ok ? checked.value.line : null,
    problems: checked.ok ? [] : checked.error.map(({ field, message }) => ({ field, message })),
    needsApproval: command?.needsApproval ?? false,
    finalizes: command?.finalize ?? false,
  };
}

function unknownArguments(
  manifest: CompiledManifest,
  command: ManifestCommand,
  args: Readonly<Record<string, string>>,
): CallProblem[] {
  const tool = `${manifest.manifest.name}.${command.name}`;
  return Object.keys(args)
    .filter((name) => !command.args.some((argument) => argument.name === name))
    .map((name) => ({
      field: shown(name),
      rule: 'M7',
      message: `Unknown argument '${shown(name)}' for tool '${tool}'`,
    }));
}

/** M7: what is used for an argument that was given as `given`, or not at all. */
function checkArgument(
  argument: Argument,
  given: string | undefined,
  project: Project,
): Result<string, Pick<CallProblem, 'rule' | 'message'>> {
  const isEmpty = (text: string) => (argument.type === 'literal_text' ? text : trim(text)) === '';
  if (argument.required && (given === undefined || isEmpty(given))) {
    return fail({ rule: 'M7', message: `Missing required argument: ${argument.name}` });
  }
  const value = given ?? argument.default ?? '';
  if (isEmpty(value)) return ok('');
  const checked = checkValue(argument, value);
  const wrong = checked.ok ? projectProblem(argument, checked.value, project) : checked.error;
  if (!checked.ok || wrong !== null) {
    const rule = wrong?.startsWith('Injection detected') ? 'M8' : 'M7';
    return fail({ rule, message: `Validation failed for '${argument.name}': ${wrong}` });
  }
  return checked;
}

/** A control, or what ends a line: refused wherever it stands, also at an end where trimming would hide it (B23). */
const CONTROL_OR_LINE_END = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** M10, both checks: the rules of type `string` (trimmed, M8), then the terminal's (X7) with the whole match. */
function checkLine(
  manifest: CompiledManifest,
  command: ManifestCommand,
  text: string,
  project: Project,
): Result<string, CallProblem> {
  const refused = (rule: CallProblem['rule'], message: string) => fail({ field: 'command', rule, message });
  const line = trim(text);
  if (
    line === '' ||
    Buffer.byteLength(text) > COMMAND_MAX_BYTES ||
    CONTROL_OR_LINE_END.test(text) ||
    !text.isWellFormed()
  ) {
    return refused('X7', 'terminal command is empty, contains control characters, or exceeds 64 KiB');
  }
  const metacharacter = metacharacterIn(line);
  if (metacharacter !== null) return refused('M8', `Validation failed for 'command': ${metacharacter}`);
  if (!manifest.commandMatches(command.name, line)) {
    return refused('X7', 'terminal command does not fully match its declared pattern');
  }
  if (!command.extractTarget) return ok(line);
  const target = manifest.targetOf(command.name, line);
  const message =
    target === null
      ? 'scoped session patterns must capture the actual target as (?P<target>...)'
      : scopeProblem(target, project.scope);
  return message === null ? ok(line) : refused('M7', message);
}
