import { attributeKey, emptyAttributes, hasExtended, PLAIN } from './attributes.ts';
import { attributesAt, charsAt, widthAt } from './cells.ts';
import type { Attributes, Line, ScreenBuffer } from './internals.ts';
import type { ReplayTerminal } from './replay-terminal.ts';

/** The first thing in which two terminals differ for whoever looks at them or writes to them; null when there is none. */
export function differenceOf(
  a: ReplayTerminal,
  b: ReplayTerminal,
  { withLinesAbove = true } = {},
): string | null {
  const size = unequal('size', a.size, b.size);
  if (size !== null) return size;
  return (
    unequal('state', stateOf(a), stateOf(b)) ??
    buffers('normal', a, b, a.normal, b.normal, withLinesAbove) ??
    buffers('alternate', a, b, a.alternate, b.alternate, false)
  );
}

function stateOf(terminal: ReplayTerminal) {
  const { core, isAlternate } = terminal;
  const { glevel, charset, _charsets } = core._charsetService;
  const { convertEol, cursorBlink } = core.optionsService.options;
  const { _curAttrData } = core._inputHandler;
  return {
    isAlternate,
    glevel,
    charsets: [charset, ...[0, 1, 2, 3].map((slot) => _charsets[slot])].map((set) =>
      JSON.stringify(set ?? null),
    ),
    modes: core.coreService.modes,
    privateModes: core.coreService.decPrivateModes,
    isCursorHidden: core.coreService.isCursorHidden,
    mouse: [core.coreMouseService.activeProtocol, core.coreMouseService.activeEncoding],
    convertEol,
    cursorBlink,
    colours: terminal.colours.sequence,
    // A restored cursor can leave styles that are not in use until the next change of attributes.
    attributes: [attributeKey(_curAttrData), hasExtended(_curAttrData.bg)],
    link: linkOf(terminal, _curAttrData),
  };
}

function buffers(
  name: string,
  a: ReplayTerminal,
  b: ReplayTerminal,
  one: ScreenBuffer,
  other: ScreenBuffer,
  withLinesAbove: boolean,
): string | null {
  const isActive = a.active === one;
  const outside = unequal(name, bufferState(one, isActive, a), bufferState(other, isActive, b));
  if (outside !== null) return outside;
  if (one.lines.length === 0) return null;
  for (let row = withLinesAbove ? -one.ybase : 0; row < a.size.rows; row++) {
    const line = one.lines.get(one.ybase + row);
    const counterpart = other.lines.get(other.ybase + row);
    if (line === undefined || counterpart === undefined) return `${name}, row ${row}: missing`;
    const found = rows(a, b, line, counterpart);
    if (found !== null) return `${name}, row ${row}, ${found}`;
  }
  return null;
}

function bufferState(buffer: ScreenBuffer, isActive: boolean, { size, alternate }: ReplayTerminal) {
  const isAlternate = buffer === alternate;
  const { x, y, ybase, lines, scrollTop, scrollBottom, tabs, savedX, savedY, savedCharset } = buffer;
  const attributes = { ...buffer.savedCurAttrData, extended: PLAIN.extended };
  return {
    // A buffer takes the column over when it comes back. Its row counts meanwhile, when it is resized.
    cursor: isActive ? [x, y] : lines.length === 0 ? null : y,
    // Of the alternate screen nothing is kept above; xterm keeps some where it was larger once, and shows none of it.
    above: isAlternate ? [Math.sign(lines.length)] : [ybase, lines.length],
    margins: [scrollTop, scrollBottom],
    tabs: Array.from({ length: size.cols }, (_, column) => tabs[column] === true),
    saved: [
      savedX,
      isAlternate ? null : savedY,
      attributeKey(attributes),
      hasExtended(attributes.bg),
      savedCharset === undefined ? null : JSON.stringify(savedCharset),
    ],
  };
}

function rows(a: ReplayTerminal, b: ReplayTerminal, one: Line, other: Line): string | null {
  if (one.isWrapped !== other.isWrapped) return `wrapped: ${one.isWrapped} and ${other.isWrapped}`;
  // The alternate screen keeps cells right of the edge when it becomes narrower.
  for (let x = 0; x < a.size.cols; x++) {
    if (sameWords(one, other, x)) continue;
    const found = unequal(`column ${x}`, cellOf(a, one, x), cellOf(b, other, x));
    if (found !== null) return found;
  }
  return null;
}

const COMBINED_OR_CONTENT = 0x3fffff;
const EXTENDED = 0x10000000;

/** Most cells: nothing behind the words that could differ. */
function sameWords({ _data: one }: Line, { _data: other }: Line, x: number): boolean {
  const at = x * 3;
  const content = one[at] ?? 0;
  return (
    content === other[at] &&
    one[at + 1] === other[at + 1] &&
    one[at + 2] === other[at + 2] &&
    ((one[at + 2] ?? 0) & EXTENDED) === 0 &&
    (content & COMBINED_OR_CONTENT) < 0x200000
  );
}

function cellOf(terminal: ReplayTerminal, line: Line, x: number) {
  const chars = charsAt(line, x);
  const attributes = attributesAt(line, x);
  const width = widthAt(line, x);
  // Of the right half of a wide character nothing is drawn.
  if (width === 0 && chars === '') return { chars, width };
  const seen = chars === '' ? emptyAttributes(attributes) : attributes;
  return { chars, width, attributes: attributeKey(seen), link: chars === '' ? null : linkOf(terminal, seen) };
}

function linkOf(terminal: ReplayTerminal, { extended }: Attributes): string | null {
  if (extended.urlId === 0) return null;
  const link = terminal.core._oscLinkService.getLinkData(extended.urlId);
  // xterm forgets a link when the line where it began is gone.
  return link === undefined ? null : `${link.id ?? ''};${link.uri}`;
}

function unequal(name: string, one: unknown, other: unknown): string | null {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
  return a === b ? null : `${name}: ${a} and ${b}`;
}
