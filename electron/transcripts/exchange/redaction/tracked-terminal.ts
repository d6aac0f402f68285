import type { Disposable } from '../../../../shared/disposable.ts';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import type { Span } from '../../../governed/manifest/rust-pattern.ts';
import { charsAt } from '../../library/terminal/cells.ts';
import { CELL, type Line } from '../../library/terminal/internals.ts';
import { ReplayTerminal } from '../../library/terminal/replay-terminal.ts';
import type { RowPart } from './screen-text.ts';

/** xterm 6.0.0 prints by this: see `library/terminal/internals.ts`. */
interface Printing {
  readonly _curAttrData: { fg: number };
  readonly _activeBuffer: { readonly x: number; readonly y: number; readonly ybase: number };
  readonly _parser: { setPrintHandler(print: PrintHandler): void };
  readonly print: PrintHandler;
}
type PrintHandler = (codepoints: Uint32Array, start: number, end: number) => void;

/** Word of a cell that holds its colour; here it holds where its character comes from. */
const ORIGIN = 1;

/**
 * A terminal that knows of every cell which character of the output it shows, wherever it was moved since. Colours are the
 * price: their place in the cells is used for that.
 */
export class TrackedTerminal implements Disposable {
  readonly terminal: ReplayTerminal;
  readonly #printing: Printing;
  readonly #rows = new WeakMap<Line, RowPrints>();
  /** Of what is written now, in all output; and in it, of each of its code points. */
  #offset = 0;
  #starts: (at: number) => number = (at) => at;

  constructor(size: TerminalSize) {
    this.terminal = new ReplayTerminal(size);
    this.terminal.parser.registerCsiHandler({ final: 'm' }, () => true);
    this.#printing = this.terminal.core._inputHandler as unknown as Printing;
    this.#printing._parser.setPrintHandler((codepoints, start, end) => {
      for (let at = start; at < end; at += 1) this.#print(codepoints, at);
    });
  }

  /** `offset`: of the text in all output. At most 4 GiB of it. */
  write(text: string, offset: number): void {
    const written = text.toWellFormed();
    this.#offset = offset;
    this.#starts = startsOf(written);
    this.terminal.write(written);
  }

  /** The characters that these cells show, in all output; without those that no character was printed into. */
  originsOf({ line, from, to }: RowPart): Span[] {
    const origins: Span[] = [];
    for (let x = from; x < to; x += 1) {
      const chars = charsAt(line, x);
      const origin = line._data[x * CELL.words + ORIGIN] ?? 0;
      if (chars !== '' && origin > 0) origins.push({ start: origin - 1, end: origin - 1 + chars.length });
    }
    return origins;
  }

  /**
   * What was printed into these cells, and up to `around` cells beside them, before what they show now, as far as it is some
   * of `characters`: an edited line draws its rest anew with every key. Not what the row still shows. Each is answered once.
   */
  takeEarlier({ line, from, to }: RowPart, around: number, characters: ReadonlySet<number>): Span[] {
    const prints = this.#rows.get(line);
    if (prints === undefined) return [];
    const still = new Set<number>();
    for (let x = 0; x < line.length; x += 1) still.add((line._data[x * CELL.words + ORIGIN] ?? 0) - 1);
    const isEarlier = (start: number, x: number, codepoint: number) =>
      x >= from - around && x < to + around && characters.has(codepoint) && !still.has(start);
    return prints.take(isEarlier);
  }

  dispose(): void {
    this.terminal.dispose();
  }

  #print(codepoints: Uint32Array, at: number): void {
    const printing = this.#printing;
    const start = this.#offset + this.#starts(at);
    // No cell's is 0, so that one into which nothing was printed is known.
    printing._curAttrData.fg = start + 1;
    printing.print(codepoints, at, at + 1);
    const { x, y, ybase } = printing._activeBuffer;
    const line = this.terminal.active.lines.get(ybase + y);
    if (line === undefined) return;
    let prints = this.#rows.get(line);
    if (prints === undefined) {
      prints = new RowPrints();
      this.#rows.set(line, prints);
    }
    prints.add(start, Math.max(0, x - 1), codepoints[at] ?? 0);
  }
}

/** Where the code points of a text begin as xterm takes them: it leaves byte order marks out. */
function startsOf(text: string): (at: number) => number {
  if (!/[\ud800-\udbff\ufeff]/.test(text)) return (at) => at;
  const starts: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit !== 0xfeff) starts.push(at);
    if ((unit & 0xfc00) === 0xd800) at += 1;
  }
  return (at) => starts[at] ?? 0;
}

/** What is remembered of a row: a line that is edited draws itself anew with every key. */
const PRINTS_MAX = 1_024;
const PRINTS_AT_FIRST = 128;
/** Words of a print: where it is in all output, its column, its code point. */
const PRINT = { words: 3, start: 0, x: 1, codepoint: 2 } as const;

/** What was printed into a row, the latest of it. As numbers: there is one for each character of the output. */
class RowPrints {
  #words = new Uint32Array(PRINTS_AT_FIRST * PRINT.words);
  #length = 0;

  add(start: number, x: number, codepoint: number): void {
    if (this.#length === this.#words.length) this.#makeRoom();
    this.#words[this.#length + PRINT.start] = start;
    this.#words[this.#length + PRINT.x] = x;
    this.#words[this.#length + PRINT.codepoint] = codepoint;
    this.#length += PRINT.words;
  }

  take(isWanted: (start: number, x: number, codepoint: number) => boolean): Span[] {
    const taken: Span[] = [];
    const words = this.#words;
    let kept = 0;
    for (let at = 0; at < this.#length; at += PRINT.words) {
      const [start = 0, x = 0, codepoint = 0] = words.subarray(at, at + PRINT.words);
      if (isWanted(start, x, codepoint)) taken.push({ start, end: start + (codepoint > 0xffff ? 2 : 1) });
      else {
        words.copyWithin(kept, at, at + PRINT.words);
        kept += PRINT.words;
      }
    }
    this.#length = kept;
    return taken;
  }

  /** Up to twice as many as are remembered; then the older half goes. */
  #makeRoom(): void {
    const newest = PRINTS_MAX * PRINT.words;
    if (this.#length < 2 * newest) {
      const words = new Uint32Array(2 * this.#length);
      words.set(this.#words);
      this.#words = words;
      return;
    }
    this.#words.copyWithin(0, this.#length - newest, this.#length);
    this.#length = newest;
  }
}
