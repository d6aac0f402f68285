import { type Disposable, toDisposable } from '../../../shared/disposable.ts';

/**
 * The times of commands and decisions. Every deadline is a reading of `now`, which never goes back and stands still while the machine
 * sleeps; a changed wall clock neither ends nor prolongs anything (B27).
 */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Unix milliseconds, for records only. */
  wall(): number;
  /** Calls back once when `now` has reached `time`; never for Infinity. */
  at(time: number, callback: () => void): Disposable;
}

/** The longest delay that a timer of Node takes, in milliseconds. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  at(time, callback) {
    let timer: NodeJS.Timeout | undefined;
    const arm = () => {
      const left = time - performance.now();
      // Rounded up, and looked at again: a timer of Node may come a fraction of a millisecond early.
      if (left <= 0) callback();
      else timer = setTimeout(arm, Math.min(Math.ceil(left), TIMER_MAX_MS));
    };
    if (time !== Number.POSITIVE_INFINITY)
      timer = setTimeout(arm, Math.max(0, Math.min(Math.ceil(time - performance.now()), TIMER_MAX_MS)));
    return toDisposable(() => clearTimeout(timer));
  },
};
