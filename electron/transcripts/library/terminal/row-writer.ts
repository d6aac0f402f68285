import { attributeKey, attributeSequence, emptyAttributes, isSeenWhenEmpty, PLAIN } from './attributes.ts';
import { attributesAt, charsAt, widthAt } from './cells.ts';
import { type Attributes, CELL, type Line, type ScreenBuffer } from './internals.ts';
import type { ReplayTerminal } from './replay-terminal.ts';

const JOINS = 1;
/** Ends a cluster and changes nothing: rows are written with the mode on. */
const SEPARATE = '\x1b[?7h';

/** Writes rows as output that draws them onto empty ones, from the cursor's place on. */
export class RowWriter {
  readonly #terminal: ReplayTerminal;
  readonly #cols: number;
  #out = '';
  #attributes = attributeKey(PLAIN);
  /** What was set last: mostly it is asked for again. */
  #last = PLAIN;
  #link = 0;
  /** What xterm knows of the character before. */
  #before = 0;

  constructor(terminal: ReplayTerminal) {
    this.#terminal = terminal;
    this.#cols = terminal.size.cols;
  }

  /** Rows from an index to the end of the buffer; `empty`: number of rows without text in place of those before. */
  write(buffer: ScreenBuffer, from: number, empty = from): string {
    this.#out = '';
    this.#above(buffer.lines.get(from)?.isWrapped === true, empty);
    for (let index = from; index < buffer.lines.length; index++) {
      const line = buffer.lines.get(index);
      if (line === undefined) break;
      const end = this.#cells(line);
      // The list is a ring: behind its end it begins again.
      const next = index + 1 < buffer.lines.length ? buffer.lines.get(index + 1) : undefined;
      if (next === undefined) break;
      if (next.isWrapped) this.#wrap(line, end, next);
      else this.#lineEnd();
    }
    this.#set(PLAIN);
    return this.#out;
  }

  /** The attributes of a cell as a sequence, link included. */
  attributes(line: Line, x: number): string {
    this.#out = '';
    this.#set(attributesAt(line, x));
    return this.#out;
  }

  /** Switches to a link; 0 is none. */
  link(id: number): string {
    const data = id === 0 ? undefined : this.#terminal.core._oscLinkService.getLinkData(id);
    const known = data === undefined ? 0 : id;
    if (known === this.#link) return '';
    this.#link = known;
    return `\x1b]8;${data?.id === undefined ? '' : `id=${data.id}`};${data?.uri ?? ''}\x1b\\`;
  }

  /** What the first row needs above it: empty rows, and one that goes over into it. A full list loses that one again. */
  #above(isWrapped: boolean, empty: number): void {
    this.#out += '\r\n'.repeat(isWrapped ? Math.max(0, empty - 1) : empty);
    if (!isWrapped) return;
    this.#raw(' '.repeat(this.#cols + 1));
    this.#freshRow(this.#cols);
  }

  /** The column behind the last cell that it wrote. */
  #cells(line: Line): number {
    const { _data: data } = line;
    const length = this.#cols;
    let x = 0;
    /** Column where something stands by now that does not belong there. */
    let spoilt = -1;
    let end = 0;
    for (let next = 0; next < length; next++) {
      const content = data[next * CELL.words] ?? 0;
      const isEmpty = (content & CELL.content) === 0;
      if (isEmpty && content >> CELL.widthShift === 0) continue;
      const attributes = attributesAt(line, next);
      if (isEmpty) {
        const seen = emptyAttributes(attributes);
        if (isSeenWhenEmpty(seen) && next + 1 < length) {
          this.#goRight(next - x);
          this.#set(seen);
          // Half of a wide character that is overwritten leaves an empty cell with these attributes.
          this.#raw('\u4e00\b \b');
          x = next + 1;
          spoilt = x;
        } else if (seen.bg !== 0 || spoilt === next) {
          this.#goRight(next - x);
          x = next;
          const run = this.#emptyRun(line, next, seen);
          this.#set(seen);
          this.#raw(`\x1b[${run}X`);
          end = Math.max(end, next + run);
          next += run - 1;
        }
        continue;
      }
      this.#goRight(next - x);
      this.#set(attributes);
      this.#print(charsAt(line, next));
      x = next + widthAt(line, next);
      end = Math.max(end, x);
    }
    this.#column = x;
    return end;
  }

  /** Where the cursor is in the row. */
  #column = 0;

  #emptyRun(line: Line, from: number, seen: Attributes): number {
    const key = attributeKey(seen);
    let to = from + 1;
    while (to < this.#cols && (line._data[to * CELL.words] ?? 0) >> CELL.widthShift === 1) {
      if (((line._data[to * CELL.words] ?? 0) & CELL.content) !== 0) break;
      const next = emptyAttributes(attributesAt(line, to));
      if (isSeenWhenEmpty(next) || attributeKey(next) !== key) break;
      to += 1;
    }
    return to - from;
  }

  /** Only writing over the edge makes the next row belong to this one. */
  #wrap(line: Line, end: number, next: Line): void {
    const cols = this.#cols;
    const missing = cols - this.#column;
    const isLeftByWide = missing === 1 && end < cols && widthAt(next, 0) === 2;
    if (isLeftByWide) {
      // A wide character that does not fit leaves the last cell empty, with its own attributes.
      this.#set(attributesAt(next, 0));
      this.#raw('\u4e00');
      this.#freshRow(cols);
      return;
    }
    this.#set(PLAIN);
    this.#raw(' '.repeat(missing + 1));
    if (missing > 0) this.#restoreEmpty(line, cols - missing);
    this.#freshRow(cols);
  }

  /** The cells that were filled to get over the edge. */
  #restoreEmpty(line: Line, from: number): void {
    this.#raw(`\x1b[A\x1b[${from + 1}G`);
    for (let x = from; x < this.#cols; ) {
      const seen = emptyAttributes(attributesAt(line, x));
      const run = this.#emptyRun(line, x, seen);
      this.#set({ ...PLAIN, bg: seen.bg });
      this.#raw(`\x1b[${run}X`);
      x += run;
      if (x < this.#cols) this.#raw(`\x1b[${run}C`);
    }
    this.#raw('\x1b[B');
  }

  /** Erasing characters keeps that the row is the end of the one above; erasing the line would not. */
  #freshRow(cols: number): void {
    this.#set(PLAIN);
    this.#raw(`\r\x1b[${cols}X`);
  }

  /** A new row takes the background in use. */
  #lineEnd(): void {
    this.#set(PLAIN);
    this.#raw('\r\n');
  }

  #goRight(columns: number): void {
    if (columns > 0) this.#raw(`\x1b[${columns}C`);
  }

  #set(attributes: Attributes): void {
    if (isSame(attributes, this.#last)) return;
    this.#last = attributes;
    const { urlId } = attributes.extended;
    if (urlId !== this.#link) {
      const sequence = this.link(urlId);
      if (sequence !== '') this.#raw(sequence);
    }
    const key = attributeKey(attributes);
    if (key === this.#attributes) return;
    this.#attributes = key;
    this.#raw(attributeSequence(attributes));
  }

  #print(chars: string): void {
    const { unicodeService } = this.#terminal.core;
    let isFirst = true;
    for (const char of chars) {
      const codepoint = char.codePointAt(0) ?? 0;
      const properties = unicodeService.charProperties(codepoint, this.#before);
      if (isFirst && (properties & JOINS) !== 0) {
        this.#out += SEPARATE;
        this.#before = unicodeService.charProperties(codepoint, 0);
      } else this.#before = properties;
      isFirst = false;
    }
    this.#out += chars;
  }

  /** Anything but characters ends a cluster. */
  #raw(sequence: string): void {
    this.#out += sequence;
    this.#before = 0;
  }
}

function isSame(one: Attributes, other: Attributes): boolean {
  return (
    one.fg === other.fg &&
    one.bg === other.bg &&
    one.extended._ext === other.extended._ext &&
    one.extended.urlId === other.extended.urlId
  );
}
