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
const STILL_OPENING = Symbol('the engine did not heed the abort');

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
    await undo(session, terminal, error, ledger);
    const isAbandoned = abort.signal.aborted && leftBy(error) === null;
    return fail(isAbandoned ? abandoned(abort.signal.reason, limitMs) : failure(error));
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
    (error: unknown): Late => ({ error: leftBy(error) === null ? signal.reason : error }),
  );
  const late = await withDeadline<Late>(ending, RELEASE_DEADLINE_MS, () => ({ error: STILL_OPENING }));
  if ('terminal' in late) return late.terminal;
  if (late.error === STILL_OPENING) void started.then((terminal) => terminal.release()).catch(() => {});
  throw late.error;
}

/** Ends what was started, if anything, and records whether it is gone. */
async function undo(
  session: string,
  terminal: SandboxTerminal | null,
  cause: unknown,
  ledger: SessionLedger,
) {
  const left = leftBy(cause);
  const isNothing = cause !== STILL_OPENING && left === null;
  const removed = terminal === null ? isNothing : await isRemoved(terminal);
  try {
    if (removed) ledger.append({ event: 'clean', session, outcome: null });
    else
      ledger.append({
        event: 'needs-attention',
        session,
        reason: left ?? 'It was not removed after a failed opening.',
      });
  } catch {
    // The ledger itself may be what failed. A record that stays open is looked after at the next start.
  }
}

/** What an engine says may be left of an opening that failed. */
function leftBy(error: unknown): string | null {
  return error instanceof EngineError ? error.left : null;
}

async function isRemoved(terminal: SandboxTerminal): Promise<boolean> {
  const removal = terminal.release().then((report) => report.removed);
  return await withDeadline(removal, RELEASE_DEADLINE_MS, () => false);
}

function abandoned(reason: unknown, limitMs: number): TaggedError {
  if (reason !== TIMED_OUT)
    return taggedError('open-failed', `The opening was given up: ${messageOf(reason)}.`);
  return taggedError(
    'open-timed-out',
    'The sandbox did not start in time. What was started has been ended.',
    { limitMs },
  );
}

function failure(error: unknown): TaggedError {
  if (error instanceof EngineError) return taggedError(error.tag, error.message);
  return taggedError('open-failed', `The session could not be opened: ${messageOf(error)}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
