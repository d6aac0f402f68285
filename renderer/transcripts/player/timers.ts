import { type Disposable, toDisposable } from '../../../shared/disposable.ts';

/** A steady clock in milliseconds and its alarms; tests bring their own. */
export interface Timers {
  now(): number;
  after(ms: number, run: () => void): Disposable;
}

export const PAGE_TIMERS: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return toDisposable(() => clearTimeout(timer));
  },
};
