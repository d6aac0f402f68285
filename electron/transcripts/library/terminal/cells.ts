import { hasExtended, PLAIN } from './attributes.ts';
import { type Attributes, CELL, type Line } from './internals.ts';

/** The attributes of a cell. */
export function attributesAt(line: Line, x: number): Attributes {
  const fg = line._data[x * CELL.words + 1] ?? 0;
  const bg = line._data[x * CELL.words + 2] ?? 0;
  const extended = (hasExtended(bg) ? line._extendedAttrs[x] : undefined) ?? PLAIN.extended;
  return { fg, bg, extended };
}

/** Characters of a cell; empty where nothing was written, or right of a wide character. */
export function charsAt(line: Line, x: number): string {
  const content = line._data[x * CELL.words] ?? 0;
  if ((content & CELL.combined) !== 0) return line._combined[x] ?? '';
  const codepoint = content & CELL.codepoint;
  return codepoint === 0 ? '' : String.fromCodePoint(codepoint);
}

export function widthAt(line: Line, x: number): number {
  return (line._data[x * CELL.words] ?? 0) >> CELL.widthShift;
}

let units = new Uint16Array(256);

/** Text of a row without the cells behind the last one that was written to. */
export function rowText(line: Line): string {
  const { _data: data, length } = line;
  if (units.length < length) units = new Uint16Array(length);
  let at = 0;
  let end = 0;
  for (let x = 0; x < length; x++) {
    const content = data[x * CELL.words] ?? 0;
    if ((content & CELL.content) === 0) {
      // Right of a wide character there is no cell of its own.
      if (content >> CELL.widthShift !== 0) units[at++] = 0x20;
      continue;
    }
    const codepoint = content & CELL.codepoint;
    if ((content & CELL.combined) !== 0 || codepoint > 0xffff) return line.translateToString(true);
    units[at++] = codepoint;
    end = at;
  }
  return Buffer.from(units.buffer, 0, end * 2).toString('utf16le');
}
