import { LIVENESS } from '../../shared/terminal/limits.ts';

/** How many intervals in a row nothing arrived, and whether anything has since the last one. */
export interface LivenessState {
  readonly missed: number;
  readonly heard: boolean;
}

export const FRESH: LivenessState = { missed: 0, heard: true };

/**
 * One interval has passed (B27). Intervals are counted instead of clock time: a host that slept, or whose clock was
 * set, has counted none, so it asks before it judges and leaves a healthy link alone.
 */
export function onInterval(state: LivenessState): { state: LivenessState; action: 'ask' | 'dead' } {
  const missed = state.heard ? 0 : state.missed + 1;
  return { state: { missed, heard: false }, action: missed >= LIVENESS.missedMax ? 'dead' : 'ask' };
}

/** Watches one link: asks every LIVENESS.intervalMs, and reports a peer that has stopped answering, once. */
export class Liveness {
  #state = FRESH;
  readonly #timer: NodeJS.Timeout;

  constructor(link: { ping(): void; dead(): void }) {
    this.#timer = setInterval(() => {
      const { state, action } = onInterval(this.#state);
      this.#state = state;
      if (action === 'ask') {
        link.ping();
      } else {
        this.dispose();
        link.dead();
      }
    }, LIVENESS.intervalMs);
    this.#timer.unref();
  }

  /** Anything at all arrived. */
  heard(): void {
    this.#state = { ...this.#state, heard: true };
  }

  dispose(): void {
    clearInterval(this.#timer);
  }
}
