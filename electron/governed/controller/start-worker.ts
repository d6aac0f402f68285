import type { GovernedFailure } from '../../../shared/governed/call.ts';
import { EngineError } from '../../sandbox/engine.ts';
import { FileError, type Staging, type Worker, type Workers } from '../ports.ts';
import type { GovernedCall } from './call.ts';
import { failure, messageOf, ownFailure } from './failures.ts';

/** What a start has made, whether it succeeded or not: whoever asked for it ends it. */
export interface Started {
  readonly staging: Staging | null;
  readonly worker: Worker | null;
  /** Why there is no worker; null also when the start heeded its signal. */
  readonly failure: GovernedFailure | null;
}

/**
 * Stages the files, then starts the worker (E13). Never rejects. Aborting `signal` ends a worker that is coming up; one that
 * came up all the same is in the result (E15).
 */
export async function startWorker(
  sessionId: string,
  { manifest, files, profile }: GovernedCall,
  workers: Workers,
  signal: AbortSignal,
): Promise<Started> {
  let staging: Staging | null = null;
  try {
    staging = files === null ? null : await files.stage();
    signal.throwIfAborted();
    const spec = {
      sessionId,
      argv: manifest.session.startupArgv,
      profile,
      mounts: staging?.mounts ?? [],
      fileMaxBytes: manifest.filesystem?.maxFileBytes ?? null,
    };
    return { staging, worker: await workers.start(spec, signal), failure: null };
  } catch (error) {
    return { staging, worker: null, failure: error === signal.reason ? null : inOwnWords(error) };
  }
}

function inOwnWords(error: unknown): GovernedFailure {
  if (error instanceof FileError) return ownFailure(error.rule, error.message);
  if (error instanceof EngineError) return ownFailure('X0', error.message);
  return failure('startFailed', messageOf(error));
}
