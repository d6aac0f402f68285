import type { GovernedFailure } from '../../../shared/governed/call.ts';

type Row = readonly [rule: string, text: string, session: GovernedFailure['session']];

/**
 * Table X: rule, exact text, and what becomes of the session. X36 and X32 are not here: a PTY has no flush of its own, and
 * its standard error is part of its output. `X0` rows are Airlock's own, for what the table has no row for.
 */
const TABLE = {
  authorizationExpired: ['X1', 'session authorization expired before dispatch', 'lives'],
  noPublicationChannel: ['X2', 'file publication requires an active audited dispatcher', 'lives'],
  transportUnavailable: [
    'X4',
    'interactive terminal transport requires Docker, gVisor or Firecracker; selected transport unavailable',
    'none',
  ],
  noSessionDefinition: ['X5', 'missing session definition', 'none'],
  textInvalid: ['X7', 'terminal command is empty, contains control characters, or exceeds 64 KiB', 'lives'],
  patternInvalid: ['X7', 'invalid session command pattern', 'lives'],
  patternMismatch: ['X7', 'terminal command does not fully match its declared pattern', 'lives'],
  commandUnknown: ['X8', 'unknown session command', 'lives'],
  boundsInvalid: [
    'X9',
    'terminal startup, idle, lifetime and interaction bounds must be positive and finite',
    'none',
  ],
  argvInvalid: ['X10', 'invalid terminal startup argv', 'none'],
  argvTooLong: ['X11', 'terminal startup argv exceeds input limit', 'none'],
  readyInvalid: ['X12', 'invalid terminal ready pattern', 'none'],
  readyMatchesEmpty: ['X13', 'terminal ready pattern must not match empty output', 'none'],
  outputUnbounded: ['X14', 'terminal output must be bounded to at most 4 MiB with a positive wait', 'none'],
  waitOutOfRange: ['X14', 'terminal wait exceeds supported range', 'none'],
  lifetimeOutOfRange: ['X14', 'terminal lifetime exceeds supported range', 'none'],
  runClosed: ['X15', 'execution run is closed; no further terminal effects are allowed', 'ended'],
  grantsChanged: ['X16', 'terminal file grants changed; start a new run', 'lives'],
  sessionClosed: ['X17', 'terminal session is closed; start a new run', 'ended'],
  capacityExhausted: ['X18', 'interactive session capacity exhausted', 'none'],
  admissionExpired: ['X20', 'session command expired while waiting for admission', 'lives'],
  closedBeforeAdmission: ['X21', 'terminal session closed before admission', 'ended'],
  callerTimedOut: ['X22', 'terminal interaction timed out; cleanup requested', 'ended'],
  closedBeforeResponse: ['X23', 'terminal session closed before a response', 'ended'],
  startupCancelled: ['X24', 'terminal startup cancelled', 'ended'],
  callerCancelledStartup: ['X25', 'terminal caller cancelled during startup', 'ended'],
  startupTimedOut: ['X26', 'terminal startup timed out', 'ended'],
  expiredBeforeExecution: ['X27', 'terminal command expired before execution', 'lives'],
  readFailed: ['X28', 'terminal read failed', 'ended'],
  lifetimeOutputExceeded: ['X29', 'terminal lifetime output limit exceeded', 'ended'],
  interactionOutputExceeded: ['X30', 'terminal interaction output limit exceeded', 'ended'],
  closedBeforePrompt: ['X31', 'terminal closed before the ready prompt', 'ended'],
  transcriptFull: ['X33', 'terminal transcript capacity exhausted', 'ended'],
  expiredBeforeWrite: ['X34', 'terminal authorization expired before write', 'ended'],
  writeFailed: ['X35', 'terminal write failed', 'ended'],
  runCancelled: ['X37', 'terminal run cancelled', 'ended'],
  callerCancelled: ['X38', 'terminal caller cancelled', 'ended'],
  interactionTimedOut: ['X39', 'terminal interaction timed out', 'ended'],
  interactionsExhausted: ['X40', 'terminal maximum interactions exhausted', 'ended'],
  unpublishedAtLimit: [
    'X41',
    'terminal interaction limit reached with unpublished output; finalize before the limit',
    'ended',
  ],
  finalizationCancelled: [
    'X42',
    'terminal finalization cancelled or expired before file publication',
    'ended',
  ],
  stagingMissing: ['X42', 'missing terminal file staging', 'ended'],
  closedUnpublished: [
    'X43',
    'terminal closed with unpublished file output; explicit finalization required',
    'ended',
  ],
  exitedWhileIdle: ['X44', 'terminal exited while idle', 'ended'],
  idleReadFailed: ['X45', 'terminal idle read failed', 'ended'],
  acknowledgementMissing: ['X46', 'terminal worker ended without cleanup acknowledgement', 'ended'],
  acknowledgementTimedOut: ['X47', 'terminal cleanup acknowledgement timed out', 'ended'],
  responseTimedOut: ['X48', 'terminal response timed out', 'ended'],
  boundaryInvalid: ['X0', 'invalid sandbox boundary', 'none'],
  lineTooLong: [
    'X0',
    'terminal command exceeds 4095 bytes, the longest line that a terminal passes on whole',
    'lives',
  ],
  startFailed: ['X0', 'terminal worker could not be started', 'ended'],
  removalUnconfirmed: ['X0', 'terminal worker removal was not confirmed', 'ended'],
  stagingNotDiscarded: ['X0', 'terminal file staging could not be discarded', 'ended'],
  publicationFailed: ['X0', 'file publication failed', 'ended'],
} as const satisfies Record<string, Row>;

export type FailureName = keyof typeof TABLE;

/** The failure of table X, with `: DETAIL` where there is one. */
export function failure(name: FailureName, detail?: string): GovernedFailure {
  const [rule, text, session] = TABLE[name];
  return { rule, text: detail === undefined ? text : `${text}: ${detail}`, session };
}

export function invalidToolName(tool: string): GovernedFailure {
  return {
    rule: 'X6',
    text: `Invalid session tool name: '${tool}' (expected 'session.command')`,
    session: 'none',
  };
}

/** A text that another part decided on (files, engine): kept as it is. */
export function ownFailure(rule: string, text: string, file?: GovernedFailure['file']): GovernedFailure {
  return { rule, text, session: 'ended', ...(file !== undefined && { file }) };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
