import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { EngineError } from '../sandbox/engine.ts';

/** What a daemon or a server answered, its refusals as tagged errors. A fault of the host's own goes on as an exception. */
export async function askingEngine<T>(answer: Promise<T>): Promise<Result<T, TaggedError>> {
  try {
    return ok(await answer);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const known = error.tag === 'engine-unavailable' || error.tag === 'profile-invalid';
    return fail(taggedError(known ? error.tag : 'engine-refused', error.message));
  }
}
