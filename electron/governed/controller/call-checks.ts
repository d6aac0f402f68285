import type { GovernedFailure } from '../../../shared/governed/call.ts';
import { COMMAND_MAX_BYTES, INTERACTION_OUTPUT, INTERACTIONS } from '../../../shared/governed/limits.ts';
import type { Manifest } from '../../../shared/governed/manifest.ts';
import { LINE_MAX_BYTES } from '../../../shared/terminal/limits.ts';
import type { Workers } from '../ports.ts';
import { type GovernedCall, grantsOutput, type Matcher, splitTool } from './call.ts';
import { type FailureName, failure, invalidToolName, messageOf } from './failures.ts';

type Check = (call: GovernedCall, now: number, workers: Workers) => GovernedFailure | null;

/** The checks 1 to 9 of E10, in order. */
const CHECKS: readonly Check[] = [
  ({ deadline, run }, now) => when(now >= deadline || now >= run.deadline, 'authorizationExpired'),
  ({ profile }, _now, workers) => {
    const problem = workers.problemOf(profile);
    return problem === null ? null : failure('boundaryInvalid', problem);
  },
  (call) => when(grantsOutput(call) && call.authority?.stillHolds() !== true, 'noPublicationChannel'),
  ({ profile }, _now, workers) => when(!workers.supports(profile.engine), 'transportUnavailable'),
  ({ manifest }) => when(!manifest.session, 'noSessionDefinition'),
  ({ tool }) => (splitTool(tool) === null ? invalidToolName(tool) : null),
  (call) => when(commandOf(call) === null, 'commandUnknown'),
  textProblem,
  ({ manifest, matcher }) => settingsProblem(manifest.session, matcher),
];

/** Why a call is refused before any session is looked at, or null. Touches no worker. */
export function refusalOfCall(call: GovernedCall, now: number, workers: Workers): GovernedFailure | null {
  for (const check of CHECKS) {
    const problem = check(call, now, workers);
    if (problem !== null) return problem;
  }
  return null;
}

/** The command that a call names, if its manifest declares it. */
export function commandOf({ manifest, tool }: Pick<GovernedCall, 'manifest' | 'tool'>) {
  const name = splitTool(tool);
  if (name === null || name.manifest !== manifest.name) return null;
  return manifest.commands.find((command) => command.name === name.command) ?? null;
}

/**
 * E10.8: the terminal check of M10 and the whole match. Beyond M10, line separators and lone surrogates are refused: the
 * bytes that are sent must be the text that was approved (B23). So is a line that the terminal would cut: the program would
 * get, and execute, only its beginning (B12).
 */
function textProblem({ tool, text, matcher }: GovernedCall): GovernedFailure | null {
  const bytes = Buffer.byteLength(text);
  if (text === '' || bytes > COMMAND_MAX_BYTES || /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(text))
    return failure('textInvalid');
  try {
    const command = splitTool(tool)?.command ?? '';
    if (!matcher.commandMatches(command, text)) return failure('patternMismatch');
  } catch (error) {
    return failure('patternInvalid', messageOf(error));
  }
  return when(bytes >= LINE_MAX_BYTES, 'lineTooLong');
}

/** E10.9. A manifest was checked when it was loaded; the session's own bounds must not depend on that. */
function settingsProblem(session: Manifest['session'], matcher: Matcher): GovernedFailure | null {
  const { startupTimeoutMs, idleTimeoutMs, sessionTimeoutMs, maxInteractions } = session;
  const positive = [startupTimeoutMs, idleTimeoutMs, sessionTimeoutMs, maxInteractions].every(isPositive);
  if (!positive || maxInteractions > INTERACTIONS.max) return failure('boundsInvalid');
  return argvProblem(session.startupArgv) ?? readyProblem(matcher) ?? outputProblem(session);
}

function argvProblem(argv: readonly string[]): GovernedFailure | null {
  if (!argv[0]) return failure('argvInvalid');
  const bytes = argv.reduce((sum, word) => sum + Buffer.byteLength(word), 0);
  return when(bytes > COMMAND_MAX_BYTES || argv.some((word) => word.includes('\0')), 'argvTooLong');
}

function readyProblem(matcher: Matcher): GovernedFailure | null {
  try {
    return when(matcher.readyMatches(''), 'readyMatchesEmpty');
  } catch (error) {
    return failure('readyInvalid', messageOf(error));
  }
}

function outputProblem(session: Manifest['session']): GovernedFailure | null {
  const { outputMaxBytes, outputWaitMs, sessionTimeoutMs } = session;
  const bounded = outputMaxBytes > 0 && outputMaxBytes <= INTERACTION_OUTPUT.maxBytes && outputWaitMs > 0;
  if (!bounded) return failure('outputUnbounded');
  if (!Number.isSafeInteger(Math.ceil(outputWaitMs * INTERACTION_OUTPUT.waitFactor)))
    return failure('waitOutOfRange');
  return when(!Number.isSafeInteger(Math.ceil(sessionTimeoutMs)), 'lifetimeOutOfRange');
}

function isPositive(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}

function when(holds: boolean, name: FailureName): GovernedFailure | null {
  return holds ? failure(name) : null;
}
