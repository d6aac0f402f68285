import type { Disposable } from '../../shared/disposable.ts';
import { RESIZE_RETRY_DELAYS_MS } from '../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';

/** `in-force`: this size, or one asked for later, was applied. `ended`: the session ended first. */
export type ResizeOutcome = 'in-force' | 'failed' | 'ended';

interface Request {
  readonly size: TerminalSize;
  readonly settled: Promise<ResizeOutcome>;
  readonly settle: (outcome: ResizeOutcome) => void;
}

/**
 * Brings resizes to the terminal (ST-9, B04): one at a time, so that no backend can apply an older one last; the
 * newest wins over those that still wait; one that is refused is tried again a bounded number of times. The time
 * limit of a single call is the engine's.
 */
export class ResizeCoalescer implements Disposable {
  readonly #apply: (size: TerminalSize) => Promise<void>;
  /** Not settled, oldest first. */
  #requests: Request[] = [];
  #inFlight = false;
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(apply: (size: TerminalSize) => Promise<void>) {
    this.#apply = apply;
  }

  /** What input must wait for that is typed now: the last resize asked for, or null when none is under way. */
  get pending(): Promise<ResizeOutcome> | null {
    return this.#requests.at(-1)?.settled ?? null;
  }

  request(size: TerminalSize): Promise<ResizeOutcome> {
    if (this.#disposed) return Promise.resolve('ended');
    const { promise, resolve } = Promise.withResolvers<ResizeOutcome>();
    this.#requests.push({ size, settled: promise, settle: resolve });
    this.#failures = 0;
    this.#start();
    return promise;
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#retry);
    this.#settle(this.#requests.length, 'ended');
  }

  #start(): void {
    const newest = this.#requests.at(-1);
    if (this.#inFlight || newest === undefined) return;
    clearTimeout(this.#retry);
    this.#inFlight = true;
    const covered = this.#requests.length;
    this.#apply(newest.size).then(
      () => this.#answered(() => this.#settle(covered, 'in-force')),
      () => this.#answered(() => this.#refused(covered)),
    );
  }

  #answered(conclude: () => void): void {
    this.#inFlight = false;
    if (this.#disposed) return;
    conclude();
  }

  #refused(covered: number): void {
    // A newer size is tried at once and afresh; the refused one no longer matters.
    if (this.#requests.length > covered) {
      this.#start();
      return;
    }
    const delay = RESIZE_RETRY_DELAYS_MS[this.#failures++];
    if (delay === undefined) this.#settle(covered, 'failed');
    else this.#retry = setTimeout(() => this.#start(), delay);
  }

  /** Settles the oldest `count` requests and goes on with what is left. */
  #settle(count: number, outcome: ResizeOutcome): void {
    const settled = this.#requests.splice(0, count);
    this.#failures = 0;
    for (const request of settled) request.settle(outcome);
    if (!this.#disposed) this.#start();
  }
}
