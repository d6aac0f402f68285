const LF = 0x0a;

/** One line without its line end; `text` null: longer than allowed, and skipped. */
export interface Line {
  readonly text: string | null;
  readonly offset: number;
  /** Behind the line end. */
  readonly end: number;
}

/** Cuts chunks into lines and holds at most one of `maxBytes`. What has no line end yet is no line. */
export class LineSplitter {
  readonly #maxBytes: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #overlong = false;
  #lineStart: number;

  constructor(offset: number, maxBytes: number) {
    this.#lineStart = offset;
    this.#maxBytes = maxBytes;
  }

  /** The bytes may change after the last line was taken. */
  *push(chunk: Uint8Array): Generator<Line> {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(LF, from);
      const piece = chunk.subarray(from, at === -1 ? chunk.length : at);
      this.#keep(piece, at !== -1);
      if (at === -1) return;
      yield this.#take();
      from = at + 1;
    }
  }

  /** Forgets an unfinished line: what comes next begins one, at `offset`. */
  reset(offset: number): void {
    this.#clear();
    this.#lineStart = offset;
  }

  #keep(piece: Uint8Array, whole: boolean): void {
    this.#pendingBytes += piece.length;
    if (this.#pendingBytes > this.#maxBytes) {
      this.#overlong = true;
      this.#pending = [];
      // Not `slice`: a Buffer's would share its memory.
    } else this.#pending.push(whole ? piece : Uint8Array.from(piece));
  }

  #take(): Line {
    const offset = this.#lineStart;
    const end = offset + this.#pendingBytes + 1;
    const text = this.#overlong ? null : textOf(this.#pending);
    this.reset(end);
    return { text, offset, end };
  }

  #clear(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#overlong = false;
  }
}

function textOf(pieces: readonly Uint8Array[]): string {
  const [first] = pieces;
  if (first === undefined) return '';
  if (pieces.length > 1) return Buffer.concat(pieces).toString('utf8');
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength).toString('utf8');
}
