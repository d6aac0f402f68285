import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { OPEN_DEADLINE_MS, RELEASE_DEADLINE_MS } from '../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';
import {
  EngineError,
  type SandboxEngine,
  type SandboxSpec,
  type SandboxTerminal,
} from '../sandbox/engine.ts';
import { withDeadline } from './deadline.ts';
import { confirmRelease } from './release-terminal.ts';
import type { SessionLedger } from './session-ledger.ts';

export interface OpenTerminal {
  readonly engine: SandboxEngine;
  readonly spec: SandboxSpec;
  readonly size: TerminalSize;
  readonly ledger: SessionLedger;
  /** Aborted with the reason in words when nobody wants the session any more. */
  readonly signal: AbortSignal;
}

const TIMED_OUT = Symbol('the opening took too long');

/** The engine did not heed the abort. */
class StillOpening {
  readonly started: Promise<SandboxTerminal>;
  constructor(started: Promise<SandboxTerminal>) {
    this.started = started;
  }
}

/**
 * The ordered acquisition (ST-6): record the intent, start the sandbox, record what exactly was started. Until that
 * last record is safe the session does not exist, and a failure ends and records what was started.
 * Never rejects; fails with engine-unavailable, open-failed, open-timed-out, profile-invalid.
 */
export async function openTerminal(request: OpenTerminal): Promise<Result<SandboxTerminal, TaggedError>> {
  const { engine, spec, ledger } = request;
  const session = spec.sessionId;
  const abort = new AbortController();
  const giveUp = () => abort.abort(request.signal.reason);
  const limitMs = engine.openDeadlineMs?.(spec.profile) ?? OPEN_DEADLINE_MS;
  const timer = setTimeout(() => abort.abort(TIMED_OUT), limitMs);
  request.signal.addEventListener('abort', giveUp);
  if (request.signal.aborted) giveUp();
  let terminal: SandboxTerminal | null = null;
  try {
    ledger.append({ event: 'intent', session, engine: engine.kind, profile: spec.profile.id });
    abort.signal.throwIfAborted();
    terminal = await startWithin(request, abort.signal);
    ledger.append({ event: 'committed', session, engine: engine.kind, identity: terminal.identity });
    await ledger.flush();
    abort.signal.throwIfAborted();
    return ok(terminal);
  } catch (error) {
    const left = await undo(request, terminal, error);
    const isAbandoned = abort.signal.aborted && toldLeft(error) === null;
    return fail(isAbandoned ? abandoned(abort.signal.reason, limitMs, left) : failure(error));
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', giveUp);
  }
}

/** What becomes of an opening that was given up. */
type Late = { readonly terminal: SandboxTerminal } | { readonly error: unknown };

/** An engine that does not heed the abort is waited for a bounded time; what it starts after that is ended. */
async function startWithin(
  { engine, spec, size }: OpenTerminal,
  signal: AbortSignal,
): Promise<SandboxTerminal> {
  const started = engine.open(spec, size, signal);
  const aborted = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const first = await Promise.race([started, aborted]);
  if (first !== null) return first;
  const ending = started.then(
    (terminal): Late => ({ terminal }),
    (error: unknown): Late => ({ error: toldLeft(error) === null ? signal.reason : error }),
  );
  const late = await withDeadline<Late>(ending, RELEASE_DEADLINE_MS, () => ({
    error: new StillOpening(started),
  }));
  if ('terminal' in late) return late.terminal;
  throw late.error;
}

/**
 * Ends what was started, if anything, and records whether it is gone; for an engine that is still at it, once more when it is
 * through. Resolves with what may be left, in words, or null. Never rejects.
 */
async function undo(
  request: OpenTerminal,
  terminal: SandboxTerminal | null,
  cause: unknown,
): Promise<string | null> {
  const { engine, ledger } = request;
  const session = request.spec.sessionId;
  const left = terminal === null ? leftBy(cause) : await leftAfterRelease(terminal);
  if (cause instanceof StillOpening) {
    void cause.started.then(
      (late) => undo(request, late, null),
      (error) => undo(request, null, error),
    );
  }
  const identity = cause instanceof EngineError ? cause.leftIdentity : null;
  try {
    if (identity !== null) ledger.append({ event: 'committed', session, engine: engine.kind, identity });
    if (left === null) ledger.append({ event: 'clean', session, outcome: null });
    else ledger.append({ event: 'needs-attention', session, reason: left });
  } catch {
    // The ledger itself may be what failed. A record that stays open is looked after at the next start.
  }
  return left;
}

function leftBy(cause: unknown): string | null {
  return cause instanceof StillOpening ? NOT_REMOVED : toldLeft(cause);
}

/** What an engine says may be left of an opening that failed. */
function toldLeft(error: unknown): string | null {
  return error instanceof EngineError ? error.left : null;
}

async function leftAfterRelease(terminal: SandboxTerminal): Promise<string | null> {
  const { removed, reason } = await confirmRelease(terminal);
  return removed ? null : (reason ?? NOT_REMOVED);
}

const NOT_REMOVED = 'It was not removed after a failed opening.';

function abandoned(reason: unknown, limitMs: number, left: string | null): TaggedError {
  const unknown = 'Whether what was started is gone is not known; the next start of Airlock looks after it.';
  if (reason === TIMED_OUT) {
    const rest = left === null ? 'What was started has been ended.' : unknown;
    return taggedError('open-timed-out', `The sandbox did not start in time. ${rest}`, { limitMs });
  }
  const words = `The opening was given up: ${messageOf(reason)}.`;
  return taggedError('open-failed', left === null ? words : `${words} ${unknown}`);
}

function failure(error: unknown): TaggedError {
  if (error instanceof EngineError) return taggedError(error.tag, error.message);
  return taggedError('open-failed', `The session could not be opened: ${messageOf(error)}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
