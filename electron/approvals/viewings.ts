import { randomUUID } from 'node:crypto';
import { APPROVAL } from '../../shared/governed/limits.ts';
import type { Clock } from '../governed/controller/clock.ts';

/**
 * The showings of one request and since when each was visible and read, by the steady clock. One page cannot arm
 * another's, and a showing that is taken back starts again (DESIGN 6).
 */
export class Viewings {
  readonly #clock: Clock;
  readonly #readySince = new Map<string, number | null>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(): string {
    const viewing = randomUUID();
    this.#readySince.set(viewing, null);
    const [oldest] = this.#readySince.keys();
    if (this.#readySince.size > APPROVAL.viewingsMax && oldest !== undefined) this.#readySince.delete(oldest);
    return viewing;
  }

  /** False when there is no such showing. */
  setReady(viewing: string, ready: boolean): boolean {
    const since = this.#readySince.get(viewing);
    if (since === undefined) return false;
    this.#readySince.set(viewing, ready ? (since ?? this.#clock.now()) : null);
    return true;
  }

  /** Why this showing does not approve yet; null when it does. */
  obstacle(viewing: string): string | null {
    const since = this.#readySince.get(viewing);
    if (since === undefined) return 'This request was not shown to whoever approved it.';
    if (since === null) return 'The request was not visible and read to its end.';
    const missing = APPROVAL.armMs - (this.#clock.now() - since);
    return missing > 0 ? 'The request was not visible for long enough yet.' : null;
  }
}
