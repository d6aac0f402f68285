import { type Disposable, toDisposable } from '../../../../shared/disposable.ts';
import type { Clock } from '../clock.ts';

/** Lets everything that waits for nothing but promises run. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that the test moves. The wall clock is moved apart from it. */
export class FakeClock implements Clock {
  wallOffset = Date.UTC(2026, 0, 1);
  #now = 1_000;
  readonly #alarms = new Set<{ time: number; callback: () => void }>();

  now(): number {
    return this.#now;
  }

  wall(): number {
    return this.wallOffset + this.#now;
  }

  at(time: number, callback: () => void): Disposable {
    const alarm = { time, callback };
    this.#alarms.add(alarm);
    return toDisposable(() => this.#alarms.delete(alarm));
  }

  /** Alarms that are set for a time; for tests that nothing is left behind. */
  get alarms(): number {
    return [...this.#alarms].filter(({ time }) => Number.isFinite(time)).length;
  }

  /** Rings every alarm on the way in order of its time, and lets what it wakes run. */
  async advance(ms: number): Promise<void> {
    await turns();
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.#alarms].sort((a, b) => a.time - b.time).find(({ time }) => time <= end);
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.time);
      this.#alarms.delete(next);
      next.callback();
      await turns();
    }
    this.#now = end;
    await turns();
  }

  /** Moves the time without ringing: a host that was too busy to look. Whatever rings next sees the new time. */
  jump(ms: number): void {
    this.#now += ms;
  }
}
