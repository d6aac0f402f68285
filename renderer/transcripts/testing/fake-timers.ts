import { type Disposable, toDisposable } from '../../../shared/disposable.ts';
import type { Timers } from '../player/timers.ts';

interface Alarm {
  readonly atMs: number;
  readonly run: () => void;
}

/** A steady clock that goes on only when a test says so. */
export class FakeTimers implements Timers {
  #now = 1_000;
  #alarms: Alarm[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): Disposable {
    const alarm = { atMs: this.#now + ms, run };
    this.#alarms.push(alarm);
    return toDisposable(() => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    });
  }

  /** Rings every alarm on the way, each in its time. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const due = this.#alarms.filter(({ atMs }) => atMs <= end).toSorted((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      this.#now = Math.max(this.#now, due.atMs);
      this.#alarms = this.#alarms.filter((alarm) => alarm !== due);
      due.run();
      await settle();
    }
    this.#now = end;
  }
}

/** Lets everything run that waits for answers alone. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}
