export type ExpiryTag = 'terminal_session' | 'terminal_consumer' | 'terminal_idle';

export interface ExpiryLimits {
  /** Milliseconds, as in the profile. */
  readonly sessionMs: number;
  readonly attachMs: number;
  readonly idleMs: number;
}

/**
 * The budgets of one terminal, from the end of its handshake: its whole time, the time until somebody reads it, and the
 * longest silence. When several are over at once the first of this order is told (rule 9).
 */
export class Expiry {
  readonly #limits: ExpiryLimits;
  readonly #expired: (tag: ExpiryTag, limitMs: number) => void;
  readonly #start = performance.now();
  #active = this.#start;
  #attached = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: ExpiryLimits, expired: (tag: ExpiryTag, limitMs: number) => void) {
    this.#limits = limits;
    this.#expired = expired;
    this.#look();
  }

  /** Input, a resize or output: not a Ping. */
  active(): void {
    this.#active = performance.now();
  }

  attached(): void {
    this.#attached = true;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    const { sessionMs, attachMs, idleMs } = this.#limits;
    const budgets: readonly (readonly [ExpiryTag, number, number])[] = [
      ['terminal_session', sessionMs, this.#start],
      ['terminal_consumer', attachMs, this.#attached ? Number.POSITIVE_INFINITY : this.#start],
      ['terminal_idle', Math.min(idleMs, sessionMs), this.#active],
    ];
    const now = performance.now();
    const left = ([, limitMs, since]: (typeof budgets)[number]) => since + limitMs - now;
    const over = budgets.find((budget) => left(budget) <= 0);
    if (over !== undefined) {
      this.#expired(over[0], over[1]);
      return;
    }
    // A timer may be early by a fraction of a millisecond.
    this.#timer = setTimeout(() => this.#look(), Math.ceil(Math.min(...budgets.map(left))));
  }
}
