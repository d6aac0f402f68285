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

/** One character that was printed: where it is in all output, and the column that it came to. */
interface Print {
  readonly start: number;
  readonly x: number;
  readonly codepoint: number;
}

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
    const isEarlier = ({ start, x, codepoint }: Print) =>
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
    prints.add({ start, x: x - 1, codepoint: codepoints[at] ?? 0 });
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

/** What was printed into a row, the latest of it. */
class RowPrints {
  #prints: Print[] = [];

  add(print: Print): void {
    this.#prints.push(print);
    if (this.#prints.length >= 2 * PRINTS_MAX) this.#prints = this.#prints.slice(-PRINTS_MAX);
  }

  take(isWanted: (print: Print) => boolean): Span[] {
    const taken: Span[] = [];
    this.#prints = this.#prints.filter((print) => {
      if (!isWanted(print)) return true;
      const { start, codepoint } = print;
      taken.push({ start, end: start + (codepoint > 0xffff ? 2 : 1) });
      return false;
    });
    return taken;
  }
}
