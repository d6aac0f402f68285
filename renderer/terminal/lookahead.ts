import { OUTPUT_CREDIT } from '../../shared/terminal/limits.ts';

/**
 * How many bytes of one session's output the host should send ahead of what is parsed. Output that waits longer here than
 * OUTPUT_CREDIT.waitMs makes it fewer, output that is all parsed while more is known to come makes it more. So a page
 * that draws slowly, or bytes that are costly, put off an interrupted program's prompt by that much time and no more (B30).
 */
export class Lookahead {
  #bytes: number = OUTPUT_CREDIT.high;
  /** Output that arrived before the last change says nothing about it. */
  #changedAt = Number.NEGATIVE_INFINITY;

  get bytes(): number {
    return Math.round(this.#bytes);
  }

  /** The last that was parsed had arrived at `arrivedAt`, and there is nothing left. Times are in milliseconds. */
  ranDry(arrivedAt: number, now: number): void {
    if (arrivedAt >= this.#changedAt) this.#change(OUTPUT_CREDIT.growth, now);
  }

  /** The last that was parsed had arrived at `arrivedAt`, and there is more. */
  waited(arrivedAt: number, now: number): void {
    const waitMs = now - arrivedAt;
    if (arrivedAt >= this.#changedAt && waitMs > OUTPUT_CREDIT.waitMs) {
      this.#change(OUTPUT_CREDIT.waitMs / waitMs, now);
    }
  }

  #change(factor: number, now: number): void {
    const { high, low } = OUTPUT_CREDIT;
    this.#bytes = Math.min(high, Math.max(low, this.#bytes * factor));
    this.#changedAt = now;
  }
}
