/** A range of rows, `end` exclusive. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** Where each row begins, in pixels, and last where all of them end. */
export function offsetsOf(heights: readonly number[]): number[] {
  const offsets = [0];
  for (const height of heights) offsets.push((offsets.at(-1) ?? 0) + height);
  return offsets;
}

/** The rows that a view of `height` pixels shows from `top` on, and `beside` more on either side. */
export function visibleRows(
  offsets: readonly number[],
  top: number,
  height: number,
  beside: number,
): RowRange {
  const count = offsets.length - 1;
  const first = rowAt(offsets, top);
  const last = rowAt(offsets, top + height);
  return { start: Math.max(0, first - beside), end: Math.min(count, last + 1 + beside) };
}

/** The row that covers a pixel; the first or last one beyond them. */
export function rowAt(offsets: readonly number[], pixel: number): number {
  let low = 0;
  let high = offsets.length - 2;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((offsets[middle] ?? 0) <= pixel) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** Pixels that an element can be high at most; browsers clamp larger ones. */
const HEIGHT_MAX = 8_000_000;

/**
 * Rows of one height, however many. Beyond what an element can be high, its scrollbar stands for shares of all rows
 * instead of for pixels.
 */
export class EvenRows {
  readonly #count: number;
  readonly #rowHeight: number;
  /** Of the element that scrolls. */
  readonly height: number;

  constructor(count: number, rowHeight: number) {
    this.#count = count;
    this.#rowHeight = rowHeight;
    this.height = Math.min(HEIGHT_MAX, count * rowHeight);
  }

  /** The first row of a view that is scrolled to `top`, with its fraction. */
  firstRow(top: number, viewHeight: number): number {
    const all = this.#count * this.#rowHeight;
    if (all <= this.height) return top / this.#rowHeight;
    const share = top / Math.max(1, this.height - viewHeight);
    return (share * (all - viewHeight)) / this.#rowHeight;
  }

  /** Where a view has to be scrolled to so that it begins with `row`. */
  topOf(row: number, viewHeight: number): number {
    const all = this.#count * this.#rowHeight;
    const pixels = Math.max(0, Math.min(row * this.#rowHeight, all - viewHeight));
    if (all <= this.height) return pixels;
    return (pixels / Math.max(1, all - viewHeight)) * (this.height - viewHeight);
  }
}
