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
  #window: number = OUTPUT_CREDIT.high;

  /** From more unparsed bytes than the window until they are few enough again. */
  get exhausted(): boolean {
    return this.#exhausted;
  }

  /** Bytes sent and not yet parsed. */
  get unparsed(): number {
    return this.#sent - this.#parsed;
  }

  sent(bytes: number): void {
    this.#sent += bytes;
    if (this.unparsed > this.#window) this.#exhausted = true;
  }

  /**
   * The client's total, and how many bytes it wants to have ahead. More than was sent counts as everything, less than
   * before or not a number as nothing new, so a client can neither run up credit nor take back what it acknowledged.
   */
  parsed(total: number, ahead: number = this.#window): void {
    const { high, low, resumeShare } = OUTPUT_CREDIT;
    const claimed = Math.min(total, this.#sent);
    if (claimed > this.#parsed) this.#parsed = claimed;
    if (!Number.isNaN(ahead)) this.#window = Math.min(high, Math.max(low, ahead));
    if (this.unparsed <= this.#window * resumeShare) this.#exhausted = false;
  }
}
