import { OUTPUT_CREDIT } from '../../shared/terminal/limits.ts';

/**
 * Counts the output bytes of one session that were sent to its client and that the client's terminal has parsed
 * (DESIGN 3), and says whether reading must pause. Totals from the session's start, not differences: an
 * acknowledgement that is lost, repeated, late or wrong is healed by the next right one.
 */
export class OutputCredit {
  #sent = 0;
  #parsed = 0;
  #exhausted = false;

  /** Above `high` unparsed bytes, and from there until they are down to `low`. */
  get exhausted(): boolean {
    return this.#exhausted;
  }

  /** Bytes sent and not yet parsed. */
  get unparsed(): number {
    return this.#sent - this.#parsed;
  }

  sent(bytes: number): void {
    this.#sent += bytes;
    if (this.unparsed > OUTPUT_CREDIT.high) this.#exhausted = true;
  }

  /**
   * The client's total. More than was sent counts as everything, less than before or not a number as nothing new,
   * so a client can neither run up credit nor take back what it acknowledged.
   */
  parsed(total: number): void {
    const claimed = Math.min(total, this.#sent);
    if (claimed > this.#parsed) this.#parsed = claimed;
    if (this.unparsed <= OUTPUT_CREDIT.low) this.#exhausted = false;
  }
}
