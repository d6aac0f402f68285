import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import { SESSIONS_MAX } from '../../shared/terminal/limits.ts';

/** The sessions of a host at one time, whatever their kind: one bound for all that are opening, open or being released. */
export class SessionPlaces {
  readonly #taken: (() => number)[] = [];

  /** `taken`: how many sessions one of their owners has now. */
  countIn(taken: () => number): void {
    this.#taken.push(taken);
  }

  /** too-many-sessions when there is no place for another. */
  refusal(): TaggedError | null {
    if (this.#taken.reduce((sum, taken) => sum + taken(), 0) < SESSIONS_MAX) return null;
    return taggedError('too-many-sessions', `${SESSIONS_MAX} sessions are open. End one first.`, {
      limit: SESSIONS_MAX,
    });
  }
}
