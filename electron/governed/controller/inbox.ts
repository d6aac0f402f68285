import { LIFETIME_OUTPUT_MAX_BYTES } from '../../../shared/governed/limits.ts';
import type { Clock } from './clock.ts';
import { type Fact, type FactOf, mostImportant, type Phase } from './priorities.ts';

/** When a phase's facts of time hold; a reading of the clock each, Infinity for never. */
export interface Times {
  readonly deadline: number;
  readonly settled?: number;
  readonly late?: number | undefined;
}

/** How the program's output came to its end: by itself, or because it could not be read. */
export interface OutputEnd {
  readonly readError: string | null;
}

/**
 * Everything that reaches a session, until it looks. One owner waits, one thing is taken at a time. Output is always taken
 * from the worker, whatever the session does; what is kept is bounded by the session's lifetime output (E31).
 */
export class Inbox {
  readonly #clock: Clock;
  readonly #chunks: Uint8Array[] = [];
  #arrivedBytes = 0;
  #end: OutputEnd | null = null;
  #stopped = false;
  #workDone = false;
  #wake: () => void = () => {};

  /** Asked for what others keep. */
  hasCommand: () => boolean = () => false;
  callerIsGone: () => boolean = () => false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  get hasOutput(): boolean {
    return this.#chunks.length > 0;
  }

  get end(): OutputEnd | null {
    return this.#end;
  }

  /** Something that the inbox asks for has changed. */
  readonly notify = (): void => this.#wake();

  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  /** The chunk must not change afterwards. False when no more is kept: the session is past its limit already. */
  output(chunk: Uint8Array): boolean {
    if (this.#arrivedBytes > LIFETIME_OUTPUT_MAX_BYTES) return false;
    this.#arrivedBytes += chunk.length;
    this.#chunks.push(chunk);
    this.#wake();
    return true;
  }

  takeOutput(): Uint8Array | null {
    return this.#chunks.shift() ?? null;
  }

  /** The session is over: what nobody will take is let go, and nothing more is kept. */
  close(): void {
    this.#arrivedBytes = Number.POSITIVE_INFINITY;
    this.#chunks.length = 0;
  }

  outputEnded(end: OutputEnd): void {
    this.#end ??= end;
    this.#wake();
  }

  /** `work` is the fact of the next phases from when the promise has settled. It must not reject. */
  watch<T>(work: Promise<T>): Promise<T> {
    this.#workDone = false;
    void work.then(() => {
      this.#workDone = true;
      this.#wake();
    });
    return work;
  }

  /** Resolves with the most important fact of the phase as soon as one holds. */
  async next<P extends Phase>(phase: P, times: Times): Promise<FactOf<P>> {
    for (;;) {
      const woken = Promise.withResolvers<void>();
      this.#wake = woken.resolve;
      const now = this.#clock.now();
      const fact = mostImportant(phase, (fact) => this.#holds(fact, times, now));
      if (fact !== null) return fact;
      const timers = [times.deadline, times.settled, times.late].flatMap((time) =>
        time === undefined || time <= now ? [] : [this.#clock.at(time, woken.resolve)],
      );
      await woken.promise;
      for (const timer of timers) timer.dispose();
    }
  }

  #holds(fact: Fact, times: Times, now: number): boolean {
    switch (fact) {
      case 'stop':
        return this.#stopped;
      case 'caller-gone':
        return this.callerIsGone();
      case 'deadline':
        return now >= times.deadline;
      case 'work':
        return this.#workDone;
      case 'command':
        return this.hasCommand();
      case 'output':
        return this.#chunks.length > 0;
      case 'ended':
        return this.#end !== null;
      case 'settled':
        return times.settled !== undefined && now >= times.settled;
      case 'late':
        return times.late !== undefined && now >= times.late;
    }
  }
}
