/** Bytes of a piece that gathers several messages: what a server reads of a terminal at once. */
const PIECE_BYTES = 4_096;

/** `bytes` from the start to `used` is output. */
interface Piece {
  readonly bytes: Uint8Array;
  used: number;
}

/**
 * Output that came and was not read yet, in order, bounded in bytes (rule 3). Short messages are gathered, so that the pieces
 * are few too: a program that writes short lines sends each as one, and thousands of them come in a single read.
 */
export class KeptOutput {
  readonly #maxBytes: number;
  readonly #pieces: Piece[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** False, and nothing is kept of it, when it is more than may wait. */
  push(chunk: Uint8Array): boolean {
    if (this.#bytes + chunk.length > this.#maxBytes) return false;
    const piece = this.#pieceFor(chunk.length);
    // A copy: a few bytes would keep all that came in the same read.
    piece.bytes.set(chunk, piece.used);
    piece.used += chunk.length;
    this.#bytes += chunk.length;
    return true;
  }

  /** Gives what is kept, one piece after the other, for as long as `wanted`. What is given may call this again. */
  drain(deliver: (chunk: Uint8Array) => void, wanted: () => boolean): void {
    while (wanted()) {
      const piece = this.#pieces.shift();
      if (piece === undefined) return;
      this.#bytes -= piece.used;
      deliver(piece.bytes.subarray(0, piece.used));
    }
  }

  #pieceFor(length: number): Piece {
    const last = this.#pieces.at(-1);
    if (last !== undefined && last.used + length <= last.bytes.length) return last;
    const piece = { bytes: new Uint8Array(Math.max(PIECE_BYTES, length)), used: 0 };
    this.#pieces.push(piece);
    return piece;
  }
}
