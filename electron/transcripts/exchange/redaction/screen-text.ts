import type { Span } from '../../../governed/manifest/rust-pattern.ts';
import { charsAt, rowText, widthAt } from '../../library/terminal/cells.ts';
import type { Line, ScreenBuffer } from '../../library/terminal/internals.ts';

/** Cells `from` to `to` of a row. */
export interface RowPart {
  readonly line: Line;
  readonly from: number;
  readonly to: number;
}

/**
 * Rows of a screen as text to search in: what was wrapped at the edge is one line. `joinsFull`: so is what goes on in the
 * next row because a program, and not the terminal, wrapped it there.
 */
export class ScreenText {
  readonly text: string;
  /** Some row is full and the next is not its rest: `joinsFull` reads something else. */
  readonly hasFullRows: boolean;
  readonly #rows: { readonly line: Line; readonly start: number }[] = [];

  constructor({ lines }: ScreenBuffer, from: number, to: number, joinsFull: boolean) {
    let first = from;
    while (first > 0 && lines.get(first)?.isWrapped === true) first -= 1;
    let text = '';
    let hasFullRows = false;
    for (let row = first; row < to; row += 1) {
      const line = lines.get(row);
      if (line === undefined) continue;
      this.#rows.push({ line, start: text.length });
      const isWrapped = lines.get(row + 1)?.isWrapped === true;
      const isFull = !isWrapped && row + 1 < to && charsAt(line, line.length - 1).trim() !== '';
      hasFullRows ||= isFull;
      const goesOn = isWrapped || (isFull && joinsFull);
      text += goesOn ? line.translateToString(false) : `${rowText(line)}\n`;
    }
    this.text = text.toWellFormed();
    this.hasFullRows = hasFullRows;
  }

  /** Where a span of the text is on the screen. */
  partsOf({ start, end }: Span): RowPart[] {
    const parts: RowPart[] = [];
    for (const row of this.#rows) {
      if (row.start >= end) break;
      const part = partOf(row.line, start - row.start, end - row.start);
      if (part !== null) parts.push(part);
    }
    return parts;
  }
}

/** The cells of the characters `start` to `end` of a row's text. */
function partOf(line: Line, start: number, end: number): RowPart | null {
  let from = -1;
  let to = -1;
  let at = 0;
  for (let x = 0; x < line.length && at < end; x += 1) {
    const chars = charsAt(line, x);
    // Right of a wide character there is none.
    if (chars === '' && widthAt(line, x) === 0 && x > 0) continue;
    at += Math.max(1, chars.length);
    if (at <= start) continue;
    if (from === -1) from = x;
    to = x + Math.max(1, widthAt(line, x));
  }
  return from === -1 ? null : { line, from, to };
}
