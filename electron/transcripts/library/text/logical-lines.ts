import { INDEXED_LINE_MAX_CHARS } from '../../../../shared/transcripts/limits.ts';

/** One line of final text; `atMs`: when it was last written to. */
export interface FinalLine {
  readonly text: string;
  readonly atMs: number;
}

/** A row of a screen; `continues`: it is the rest of the row above, which was too long for the screen. */
export interface Row extends FinalLine {
  readonly continues: boolean;
}

/** The line that a row may still go on with. */
export type OpenLine = FinalLine | null;

/** Rows to lines: what was wrapped at the edge is one line. Keeps a bounded part of a line without an end. */
export class LogicalLines {
  readonly #sink: (line: FinalLine) => void;
  readonly #maxChars: number;
  #open: OpenLine;

  constructor(
    sink: (line: FinalLine) => void,
    open: OpenLine = null,
    maxChars: number = INDEXED_LINE_MAX_CHARS,
  ) {
    this.#sink = sink;
    this.#maxChars = maxChars;
    this.#open = open;
  }

  get open(): OpenLine {
    return this.#open;
  }

  take({ text, atMs, continues }: Row): void {
    const open = this.#open;
    if (continues && open !== null) {
      const room = this.#maxChars - open.text.length;
      const more = room > 0 ? text.slice(0, room) : '';
      this.#open = { text: open.text + more, atMs: Math.max(open.atMs, atMs) };
      return;
    }
    this.end();
    this.#open = { text: text.slice(0, this.#maxChars), atMs };
  }

  /** The open line was taken elsewhere. */
  forget(): void {
    this.#open = null;
  }

  /** The next row begins a line, whatever it is. */
  end(): void {
    const open = this.#open;
    this.#open = null;
    if (open !== null) this.#sink({ text: open.text.trimEnd(), atMs: open.atMs });
  }
}
