import { EngineError } from '../engine.ts';
import { createSessionLimiter } from './limits/limiter.ts';
import { type OpenRequest, StartingSandbox } from './starting-sandbox.ts';
import type { BubblewrapTerminal } from './terminal.ts';

/**
 * Starts one sandbox in the order of ST-6: the PTY at its size, bwrap on it, the identities and limits, and only
 * then the program (see `shimmed`). Rejects with EngineError; whatever was started has been ended by then.
 */
export async function openSandbox(request: OpenRequest, signal: AbortSignal): Promise<BubblewrapTerminal> {
  const limiter = await createSessionLimiter(request.spec.profile.limits);
  let starting: StartingSandbox | null = null;
  const abort = () => void starting?.discard();
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    starting = new StartingSandbox(request, limiter);
    const terminal = await starting.commit();
    signal.throwIfAborted();
    return terminal;
  } catch (error) {
    await starting?.discard();
    limiter.groups.remove();
    throw asEngineError(error, signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function asEngineError(error: unknown, signal: AbortSignal): EngineError {
  if (signal.aborted) {
    return signal.reason instanceof EngineError
      ? signal.reason
      : new EngineError('open-failed', 'Opening was cancelled; what had been started was ended.');
  }
  if (error instanceof EngineError) return error;
  return new EngineError('open-failed', error instanceof Error ? error.message : String(error));
}
