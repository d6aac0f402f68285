import { OUTPUT_FRAME, OUTPUT_SLICE } from '../../shared/terminal/limits.ts';
import type { OutputBacklog } from './frame-pace.ts';
import { Lookahead } from './lookahead.ts';
import { OutputDecoder } from './output-decoder.ts';

/** Where output goes: xterm's write, whose callback comes once the text is parsed. */
export interface OutputTarget {
  write(text: string | Uint8Array, parsed: () => void): void;
  /** Fires at the end of each of xterm's parsing turns. */
  onWriteParsed(listener: () => void): { dispose(): void };
}

/**
 * Text of our own between two slices, asked for when all output before it is parsed: it may depend on the screen then.
 * The parser may stand inside a sequence of the program.
 */
export type Interjection = () => string;

/** Output and when it came. */
interface Arrived {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/**
 * One session's output on its way into xterm: in whole characters (B01, B02), in slices so that no turn of the page takes
 * long, and counted once parsed (DESIGN 3). Memory is bounded by the host's credit.
 *
 * One slice at a time is with xterm, and the next is given to it inside the callback of the last: that keeps its parsing
 * turn going without a timer between slices. A slice that took long makes the next ones shorter: some output costs a
 * thousand times more per byte than text (B30).
 */
export class OutputStream {
  readonly #target: OutputTarget;
  readonly #pace: { backlog: OutputBacklog };
  readonly #acknowledge: (total: number, ahead: number) => void;
  readonly #now: () => number;
  readonly #turns: { dispose(): void };
  readonly #decoder = new OutputDecoder();
  readonly #lookahead = new Lookahead();
  readonly #queue: (Arrived | Interjection)[] = [];
  #busy = false;
  /** The last piece was as large as they come: the next one is on its way. */
  #flood = false;
  #disposed = false;
  /** When the piece that was parsed last had come. */
  #arrivedAt = 0;
  #parsed = 0;
  #acknowledged = 0;
  #sliceBytes: number = OUTPUT_SLICE.firstBytes;
  #turn = 0;
  #drained: (() => void)[] = [];

  /**
   * `acknowledge` gets the total of bytes parsed since the session began and how many the host should send ahead. `pace` is
   * told what waits. `now` is in milliseconds.
   */
  constructor(
    target: OutputTarget,
    pace: { backlog: OutputBacklog },
    acknowledge: (total: number, ahead: number) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#target = target;
    this.#pace = pace;
    this.#acknowledge = acknowledge;
    this.#now = now;
    this.#turns = target.onWriteParsed(() => this.#turnEnded());
  }

  push(bytes: Uint8Array): void {
    if (this.#disposed || bytes.length === 0) return;
    this.#queue.push({ bytes, at: this.#now() });
    this.#flood = bytes.length >= OUTPUT_FRAME.maxBytes / 2;
    if (!this.#busy) this.#begin();
  }

  /** Puts text of our own behind the output that came before this call; it is not counted. */
  interject(text: Interjection): void {
    if (this.#disposed) return;
    this.#queue.push(text);
    if (!this.#busy) this.#begin();
  }

  /** Ends the stream: resolves when everything is parsed. A character cut short becomes one replacement mark (B01). */
  async finish(): Promise<void> {
    await this.#whenDrained();
    if (this.#disposed) return;
    await new Promise<void>((resolve) => this.#target.write(this.#decoder.end(), resolve));
    this.dispose();
  }

  dispose(): void {
    this.#disposed = true;
    this.#queue.length = 0;
    this.#pace.backlog = 'none';
    this.#turns.dispose();
    this.#settleDrained();
  }

  /**
   * The first slice of a burst goes in alone: xterm parses what follows a keystroke at once, and only the first write of
   * it, so a marker before it would cost an echo its place.
   */
  #begin(): void {
    const piece = this.#next(Math.min(this.#sliceBytes, OUTPUT_SLICE.firstBytes));
    if (piece !== null) this.#target.write(piece.data(), () => this.#onParsed(piece.bytes));
  }

  /** Called in the callback of the last slice, while xterm's turn goes on. */
  #continue(): void {
    const piece = this.#next(this.#sliceBytes);
    if (piece === null) return;
    let began = { at: 0, turn: -1 };
    this.#target.write('', () => {
      began = { at: this.#now(), turn: this.#turn };
    });
    this.#target.write(piece.data(), () => {
      // A turn may end between the two writes; then the time says nothing about the slice.
      if (began.turn === this.#turn) this.#adapt(this.#now() - began.at);
      this.#onParsed(piece.bytes);
    });
  }

  #next(limit: number): { bytes: number; data: () => string | Uint8Array } | null {
    const head = this.#queue.shift();
    this.#busy = head !== undefined;
    this.#pace.backlog = this.#busy ? 'waiting' : this.#flood ? 'expected' : 'none';
    if (head === undefined) return null;
    if (typeof head === 'function') return { bytes: 0, data: head };
    const { bytes, at } = head;
    if (bytes.length > limit) this.#queue.unshift({ bytes: bytes.subarray(limit), at });
    const slice = bytes.subarray(0, limit);
    this.#arrivedAt = at;
    return { bytes: slice.length, data: () => this.#decoder.take(slice) };
  }

  #adapt(tookMs: number): void {
    const { longMs, minBytes, maxBytes } = OUTPUT_SLICE;
    if (tookMs > longMs)
      this.#sliceBytes = Math.max(minBytes, Math.floor((this.#sliceBytes * longMs) / tookMs));
    else if (tookMs < longMs / 4) this.#sliceBytes = Math.min(maxBytes, this.#sliceBytes * 2);
  }

  #onParsed(bytes: number): void {
    if (this.#disposed) return;
    this.#parsed += bytes;
    this.#continue();
    if (!this.#busy) this.#settleDrained();
  }

  /** Once a turn: xterm parses a dozen milliseconds' worth in one, and then lets the page draw. */
  #turnEnded(): void {
    this.#turn += 1;
    if (this.#parsed === this.#acknowledged) return;
    if (this.#busy) this.#lookahead.waited(this.#arrivedAt, this.#now());
    else if (this.#flood) this.#lookahead.ranDry(this.#arrivedAt, this.#now());
    this.#acknowledged = this.#parsed;
    this.#acknowledge(this.#parsed, this.#lookahead.bytes);
  }

  #whenDrained(): Promise<void> {
    if (!this.#busy || this.#disposed) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  #settleDrained(): void {
    for (const resolve of this.#drained.splice(0)) resolve();
  }
}
