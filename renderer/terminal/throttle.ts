/**
 * Passes values on at most once in `intervalMs`: the first at once, and of those that come too soon the last one when
 * its time has come (B15). None after `dispose`.
 */
export class Throttle<T> {
  readonly #intervalMs: number;
  readonly #pass: (value: T) => void;
  #waiting: { value: T } | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(intervalMs: number, pass: (value: T) => void) {
    this.#intervalMs = intervalMs;
    this.#pass = pass;
  }

  offer(value: T): void {
    if (this.#timer === null) this.#passNow(value);
    else this.#waiting = { value };
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#waiting = null;
  }

  #passNow(value: T): void {
    this.#timer = setTimeout(() => this.#next(), this.#intervalMs);
    this.#pass(value);
  }

  #next(): void {
    const waiting = this.#waiting;
    this.#timer = null;
    this.#waiting = null;
    if (waiting !== null) this.#passNow(waiting.value);
  }
}
