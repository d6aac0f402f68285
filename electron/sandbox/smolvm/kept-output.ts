import { SMOLVM_CHUNKS_MAX } from './limits.ts';

/** Output that came and was not read yet, in order, bounded in bytes and pieces (rule 3). */
export class KeptOutput {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get chunks(): number {
    return this.#chunks.length;
  }

  /** False, and nothing is kept of it, when it is more than may wait. */
  push(chunk: Uint8Array): boolean {
    if (this.#bytes + chunk.length > this.#maxBytes || this.#chunks.length >= SMOLVM_CHUNKS_MAX) return false;
    // A copy: a few bytes would keep all that came in the same read.
    this.#chunks.push(new Uint8Array(chunk));
    this.#bytes += chunk.length;
    return true;
  }

  /** Gives what is kept, one piece after the other, for as long as `wanted`. */
  drain(deliver: (chunk: Uint8Array) => void, wanted: () => boolean): void {
    let given = 0;
    for (const chunk of this.#chunks) {
      if (!wanted()) break;
      given += 1;
      this.#bytes -= chunk.length;
      deliver(chunk);
    }
    this.#chunks = this.#chunks.slice(given);
  }
}
