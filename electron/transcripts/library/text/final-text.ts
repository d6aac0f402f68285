import type { Disposable } from '../../../../shared/disposable.ts';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import { INDEXED_LINE_MAX_CHARS, SNAPSHOT } from '../../../../shared/transcripts/limits.ts';
import { rowText } from '../terminal/cells.ts';
import type { Line, ScreenBuffer } from '../terminal/internals.ts';
import { ReplayTerminal } from '../terminal/replay-terminal.ts';
import { type FinalLine, LogicalLines, type OpenLine, type Row } from './logical-lines.ts';
import { coloursLeftBy, type PlainLines, plainLinesOf } from './plain-lines.ts';
import { WipedScreens } from './wiped-screens.ts';

/** UTF-16 units from which on a look for plain lines pays. */
const FLOOD_CHARS = 64 * 1024;
/** Units that a terminal gets at once at most; how many lines they scroll is bounded besides. */
const PIECE_CHARS = 16 * 1024;
/** Cells that the sequences of a piece may clear, each the whole screen, and how many there are at least (B30). */
const PIECE_CELLS = 4_000_000;
const PIECE_SEQUENCES_MIN = 32;

/** Where a final text goes on after the state of its terminal was restored. */
export interface FinalTextState {
  readonly size: TerminalSize;
  readonly screen: string;
  readonly open: OpenLine;
}

/**
 * Output as text, as a terminal shows it in the end (B21): lines that scroll off the screen, and at the end those on it,
 * each with the time at which it was last written to. What is wiped out instead, by clearing the screen or by leaving the
 * alternate one, comes when that happens. Holds one terminal, however much it is given.
 */
export class FinalText implements Disposable {
  readonly terminal: ReplayTerminal;
  readonly #sink: (line: FinalLine) => void;
  readonly #maxLineChars: number;
  readonly #lines: LogicalLines;
  readonly #wiped: WipedScreens;
  /** What each row held when it was last looked at, and since when. */
  readonly #seen = new WeakMap<Line, FinalLine>();
  /** Rows from the top of the normal buffer that are done with. */
  #done = 0;
  #trimming: Disposable | null = null;
  /** A reset has made new buffers. */
  #wasReset = false;
  #nowMs = 0;

  /** `maxLineChars`: UTF-16 units that are kept of a line; as many as are indexed when left out. */
  constructor(
    from: TerminalSize | FinalTextState,
    sink: (line: FinalLine) => void,
    maxLineChars: number = INDEXED_LINE_MAX_CHARS,
  ) {
    this.#maxLineChars = maxLineChars;
    const state = 'screen' in from ? from : { size: from, screen: '', open: null };
    this.#sink = sink;
    this.terminal = new ReplayTerminal(state.size);
    this.#lines = new LogicalLines(sink, state.open, maxLineChars);
    this.#wiped = new WipedScreens(sink);
    this.terminal.write(state.screen);
    this.#done = this.terminal.normal.ybase;
    this.#watchTrimming();
    this.#watchWiping();
  }

  /** The line that goes on with the first row of the screen, for `FinalTextState`. */
  get open(): OpenLine {
    return this.#lines.open;
  }

  write(text: string, atMs: number): void {
    for (const _ of this.writing(text, atMs));
  }

  /** As `write`, a piece with each step: a few sequences may cost a second, on the largest screen (B30). */
  *writing(text: string, atMs: number): Generator<void> {
    this.#nowMs = atMs;
    // Where a look for plain lines has stopped: before that there are not enough of them.
    let lookFrom = 0;
    for (let at = 0; at < text.length; ) {
      if (at >= lookFrom && text.length - at >= FLOOD_CHARS && this.#isPlainScroll()) {
        const plain = plainLinesOf(text, at);
        lookFrom = plain.stop;
        if (this.#areEnough(plain)) {
          this.#skipPlain(text, at, plain);
          at = plain.end;
          continue;
        }
      }
      const end = this.#pieceEnd(text, at);
      this.#play(text.slice(at, end));
      at = end;
      yield;
    }
  }

  resize(size: TerminalSize, atMs: number): void {
    this.#nowMs = atMs;
    // Lines that are wrapped anew move the rows; xterm moves the marker along.
    const { normal } = this.terminal;
    const marker = normal.addMarker(Math.min(this.#done, normal.lines.length - 1));
    this.terminal.resize(size);
    this.#done = Math.max(0, marker.line);
    marker.dispose();
    this.#rememberAll();
  }

  /** Lines that are on the screen now and would be final if nothing followed. */
  screenLines(): FinalLine[] {
    const rest = this.#rest();
    return this.terminal.isAlternate ? [...rest, ...this.#wiped.unkept(this.#alternateLines())] : rest;
  }

  /** Nothing follows: what is on the screen is final. */
  finish(): void {
    this.#leaveAlternate();
    for (const line of this.#rest()) this.#sink(line);
    this.#lines.forget();
    this.#done = this.terminal.normal.lines.length;
  }

  dispose(): void {
    this.#trimming?.dispose();
    this.terminal.dispose();
  }

  /** What the normal buffer holds that is not final yet, without the empty rows at its end. */
  #rest(): FinalLine[] {
    const { normal } = this.terminal;
    const found: FinalLine[] = [];
    const lines = new LogicalLines((line) => found.push(line), this.#lines.open, this.#maxLineChars);
    for (const row of this.#rows(normal, this.#done, normal.lines.length)) lines.take(row);
    lines.end();
    while (found.at(-1)?.text === '') found.pop();
    return found;
  }

  #play(text: string): void {
    this.terminal.write(text);
    if (this.#wasReset) this.#watchTrimming();
    this.#remember();
    this.#drain(this.terminal.normal.ybase);
    if (this.terminal.isAlternate) this.#wiped.look(this.#alternateLines(), this.#nowMs);
  }

  /** So much that it takes no longer than a moment, and no line leaves the buffer unseen: each scrolls it by a row, and so may as many characters as fit into one. */
  #pieceEnd(text: string, start: number): number {
    const { cols, rows: screenRows } = this.terminal.size;
    const limit = Math.min(text.length, start + PIECE_CHARS);
    const wiping = Math.max(PIECE_SEQUENCES_MIN, Math.floor(PIECE_CELLS / (cols * screenRows)));
    let rows = Math.min(SNAPSHOT.scrollbackLines - 2, wiping);
    let inRow = 0;
    let at = start;
    for (; at < limit && rows > 0; at++) {
      const unit = text.charCodeAt(at);
      inRow += unit < 0x300 ? 1 : 2;
      // Line ends, and sequences: some of them scroll too.
      const ends = (unit >= 0x0a && unit <= 0x0c) || unit === 0x1b || (unit >= 0x80 && unit < 0xa0);
      if (!ends && inRow < cols) continue;
      inRow = 0;
      rows -= 1;
    }
    // A pair of surrogates stays together.
    if (at < text.length && (text.charCodeAt(at) & 0xfc00) === 0xdc00) at += 1;
    return Math.max(at, start + 1);
  }

  /** Rows that are played at the end of skipped lines: as many as the buffer holds. */
  get #tailRows(): number {
    return SNAPSHOT.scrollbackLines + this.terminal.size.rows + 1;
  }

  #areEnough({ lines }: PlainLines): boolean {
    return lines.length >= this.terminal.size.rows + 2 * this.#tailRows;
  }

  /** Takes plain lines without playing them, but for the first and the last. */
  #skipPlain(text: string, start: number, { lines, end }: PlainLines): void {
    const { rows } = this.terminal.size;
    const tail = this.#tailRows;
    // Enough to bring the cursor to a fresh last row.
    let at = start;
    for (let line = 0; line < rows; line++) at = text.indexOf('\n', at) + 1;
    this.#play(text.slice(start, at));
    this.#drain(this.terminal.normal.ybase + this.terminal.normal.y);
    this.#lines.end();
    for (const line of lines.slice(rows, -tail))
      this.#sink({ text: line.slice(0, this.#maxLineChars).trimEnd(), atMs: this.#nowMs });
    // As many as the buffer holds are played, so that it holds what it would.
    let from = end;
    for (let line = 0; line <= tail; line++) from = text.lastIndexOf('\n', from - 1);
    this.terminal.write(coloursLeftBy(text.slice(at, from + 1)));
    const last = from + 1;
    for (let piece = last; piece < end; ) {
      const next = Math.min(end, this.#pieceEnd(text, piece));
      this.#play(text.slice(piece, next));
      piece = next;
    }
  }

  #isPlainScroll(): boolean {
    const { terminal } = this;
    const { normal, core, size } = terminal;
    const { modes, decPrivateModes } = core.coreService;
    return (
      !terminal.isAlternate &&
      terminal.isAtGround &&
      normal.scrollTop === 0 &&
      normal.scrollBottom === size.rows - 1 &&
      !modes.insertMode &&
      decPrivateModes.wraparound &&
      core._charsetService.charset === undefined
    );
  }

  /** Notes when rows that the last write touched have changed. */
  #remember(): void {
    const { normal, isAlternate, core, size } = this.terminal;
    const { start, end } = core._inputHandler._dirtyRowTracker;
    const buffer = isAlternate ? this.terminal.alternate : normal;
    for (let row = Math.max(0, start); row <= Math.min(end, size.rows - 1); row++)
      this.#note(buffer.lines.get(buffer.ybase + row));
  }

  #note(line: Line | undefined): void {
    if (line !== undefined) this.#seen.set(line, this.#now(line));
  }

  /** A row as it is, and since when. */
  #now(line: Line): FinalLine {
    const text = rowText(line);
    const seen = this.#seen.get(line);
    return seen?.text === text ? seen : { text, atMs: this.#nowMs };
  }

  /** After rows were moved: texts are what they are, times as far as they are known. */
  #rememberAll(): void {
    const { normal } = this.terminal;
    let atMs = this.#nowMs;
    for (let index = this.#done; index < normal.lines.length; index++) {
      const line = normal.lines.get(index);
      if (line === undefined) continue;
      atMs = this.#seen.get(line)?.atMs ?? atMs;
      this.#seen.set(line, { text: rowText(line), atMs });
    }
  }

  /** Rows of the normal buffer up to `end` are final. */
  #drain(end: number): void {
    const { normal } = this.terminal;
    for (const row of this.#rows(normal, this.#done, end)) this.#lines.take(row);
    for (let index = this.#done; index < end; index++) {
      const line = normal.lines.get(index);
      // xterm takes it for another row later.
      if (line !== undefined) this.#seen.delete(line);
    }
    this.#done = Math.max(this.#done, end);
    if (normal.lines.get(end)?.isWrapped !== true) this.#lines.end();
  }

  *#rows({ lines }: ScreenBuffer, from: number, to: number): Generator<Row> {
    for (let index = from; index < to; index++) {
      const line = lines.get(index);
      if (line !== undefined) yield { ...this.#now(line), continues: line.isWrapped };
    }
  }

  #alternateLines(): FinalLine[] {
    const found: FinalLine[] = [];
    const lines = new LogicalLines((line) => found.push(line), null, this.#maxLineChars);
    const { alternate } = this.terminal;
    for (const row of this.#rows(alternate, alternate.ybase, alternate.lines.length)) lines.take(row);
    lines.end();
    return found;
  }

  #watchTrimming(): void {
    this.#wasReset = false;
    this.#trimming?.dispose();
    this.#trimming = this.terminal.normal.lines.onTrim((count) => {
      this.#done = Math.max(0, this.#done - count);
    });
  }

  /** Takes what is on the screen before a sequence wipes it out. */
  #watchWiping(): void {
    const { parser } = this.terminal;
    parser.registerCsiHandler({ final: 'J' }, ([what]) => {
      const { active } = this.terminal;
      const wipes = what === 2 || (what === 0 && active.x === 0 && active.y === 0);
      if (wipes) this.#wipe();
      else if (what === 3) this.#drain(this.terminal.normal.ybase);
      return false;
    });
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, (modes) => {
      if (modes.some((mode) => mode === 47 || mode === 1047 || mode === 1049)) this.#leaveAlternate();
      return false;
    });
    parser.registerEscHandler({ final: 'c' }, () => {
      this.#leaveAlternate();
      this.#wipe();
      this.#done = 0;
      this.#wasReset = true;
      return false;
    });
  }

  #leaveAlternate(): void {
    if (!this.terminal.isAlternate) return;
    this.#remember();
    this.#wiped.leave(this.#alternateLines(), this.#nowMs);
  }

  /** A cleared screen is final as if it had scrolled away. */
  #wipe(): void {
    this.#remember();
    if (this.terminal.isAlternate) {
      this.#wiped.look(this.#alternateLines(), this.#nowMs);
      return;
    }
    const { normal } = this.terminal;
    this.#drain(normal.ybase);
    for (const line of this.#rest()) if (this.#wiped.allows(this.#nowMs)) this.#sink(line);
    this.#lines.forget();
    this.#done = normal.ybase;
  }
}
