import type { LocalNotice } from '../../../shared/protocol/events.ts';
import type { SessionState } from '../../../shared/terminal/session-state.ts';
import type { SessionSink } from '../sink.ts';

type Waiter = { readonly holds: () => boolean; readonly resolve: () => void };

/** A client that keeps what a session tells it, in one list, and lets a test wait for it. */
export class RecordingSink implements SessionSink {
  readonly states: SessionState[] = [];
  readonly notices: LocalNotice[] = [];
  /** Output bytes so far. */
  bytes = 0;
  /** Called for each chunk; replace it to acknowledge, or to look at it. */
  onOutput: (bytes: Uint8Array) => void = () => {};
  readonly #log: (string | Uint8Array)[] = [];
  readonly #keepOutput: boolean;
  readonly #waiters = new Set<Waiter>();

  /** `keepOutput: false` only counts output, for floods. */
  constructor({ keepOutput = true } = {}) {
    this.#keepOutput = keepOutput;
  }

  /** In order: `output:TEXT` (chunks that follow each other joined), the kind of each state, `notice:KIND`. */
  get events(): string[] {
    const events: string[] = [];
    for (const entry of this.#log) {
      const before = events.at(-1);
      if (typeof entry === 'string') events.push(entry);
      else if (before?.startsWith('output:'))
        events[events.length - 1] = before + Buffer.from(entry).toString();
      else events.push(`output:${Buffer.from(entry).toString()}`);
    }
    return events;
  }

  /** All output, decoded as a whole. */
  get text(): string {
    return Buffer.concat(this.#log.filter((entry) => typeof entry !== 'string')).toString();
  }

  get last(): SessionState | undefined {
    return this.states.at(-1);
  }

  output(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    if (this.#keepOutput) this.#log.push(bytes.slice());
    this.onOutput(bytes);
    this.#look();
  }

  state(state: SessionState): void {
    this.states.push(state);
    this.#log.push(state.kind);
    this.#look();
  }

  notice(notice: LocalNotice): void {
    this.notices.push(notice);
    this.#log.push(`notice:${notice.kind}`);
    this.#look();
  }

  /**
   * Resolves when `holds` does, looked at now and after everything that the session tells. Rejects with what was told
   * last when that takes longer than `ms`.
   */
  until(holds: () => boolean, ms = 10_000): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(
          new Error(`Not within ${ms} ms; ${this.bytes} bytes, last: ${this.events.join(' ').slice(-500)}`),
        );
      }, ms);
      const waiter: Waiter = {
        holds,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiters.add(waiter);
      this.#look();
    });
  }

  #look(): void {
    for (const waiter of this.#waiters) {
      if (!waiter.holds()) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}
