import { SNAPSHOT } from '../../../../shared/transcripts/limits.ts';
import { attributeSequence, hasExtended, PLAIN } from './attributes.ts';
import { charsAt, widthAt } from './cells.ts';
import { differenceOf } from './difference.ts';
import type { CharacterSet, ScreenBuffer } from './internals.ts';
import { ReplayTerminal } from './replay-terminal.ts';
import { RowWriter } from './row-writer.ts';

/**
 * What brings a fresh terminal of the same size into this one's state (B33): both screens, the lines above, cursor, saved
 * cursors, attributes, character sets, tab stops, margins, modes and the colours that the program set. Null where that cannot be said, such as in the middle
 * of a sequence: try again a little later.
 *
 * xterm's serialize add-on gives the text and colours of one screen. It knows neither underline styles, links, margins, tab
 * stops, character sets nor saved cursors, and loses cells behind wide characters; a replay that goes on from there departs.
 */
export function snapshotOf(terminal: ReplayTerminal): string | null {
  if (!terminal.isAtGround) return null;
  const whole = write(terminal, true);
  const screen = whole.length <= SNAPSHOT.maxChars ? whole : write(terminal, false);
  if (screen.length > SNAPSHOT.maxChars) return null;
  return isRight(screen, terminal, screen === whole) ? screen : null;
}

function isRight(screen: string, terminal: ReplayTerminal, withLinesAbove: boolean): boolean {
  const copy = new ReplayTerminal(terminal.size);
  try {
    copy.write(screen);
    return differenceOf(copy, terminal, { withLinesAbove }) === null;
  } finally {
    copy.dispose();
  }
}

function write(terminal: ReplayTerminal, withLinesAbove: boolean): string {
  const { normal, alternate, isAlternate } = terminal;
  const rows = new RowWriter(terminal);
  let out = savedCursors(terminal);
  out += withLinesAbove ? rows.write(normal, 0) : rows.write(normal, normal.ybase);
  if (isAlternate) {
    out += tabStops(terminal, normal) + margins(terminal, normal);
    out += `\x1b[${normal.y + 1}H\x1b[?47h\x1b[H`;
    out += rows.write(alternate, alternate.ybase, 0);
  }
  out += tabStops(terminal, terminal.active) + margins(terminal, terminal.active);
  out += charset(terminal) + cursor(terminal, rows) + modes(terminal);
  return out + terminal.colours.sequence + finalAttributes(terminal, rows);
}

/**
 * Saved cursors keep their line however far it has gone: the lines are made, the cursor saved there, and the lines taken away
 * again. Before everything else, because that leaves an empty screen.
 */
function savedCursors(terminal: ReplayTerminal): string {
  const { normal, alternate } = terminal;
  let out = '';
  if (hasSavedCursor(normal)) {
    out += '\n'.repeat(Math.min(normal.savedY, SNAPSHOT.scrollbackLines + terminal.size.rows - 1));
    out += savedCursor(terminal, normal);
    out += '\x1b[3J\x1b[H\x1b[2J';
  }
  if (hasSavedCursor(alternate)) {
    out += `\x1b[?47h\x1b[${Math.max(0, alternate.savedY - alternate.ybase) + 1}H${savedCursor(terminal, alternate)}\x1b[?47l\x1b[H`;
  }
  return out;
}

function hasSavedCursor({ savedX, savedY, savedCurAttrData, savedCharset }: ScreenBuffer): boolean {
  const { fg, bg } = savedCurAttrData;
  return savedX !== 0 || savedY !== 0 || fg !== 0 || bg !== 0 || savedCharset !== undefined;
}

function savedCursor(
  { size }: ReplayTerminal,
  { savedX, savedCurAttrData, savedCharset }: ScreenBuffer,
): string {
  // Behind the last column the cursor comes by writing there only.
  const place = savedX < size.cols ? `\x1b[${savedX + 1}G` : `\x1b[${size.cols}G `;
  const attributes = attributeSequence({ ...PLAIN, fg: savedCurAttrData.fg, bg: savedCurAttrData.bg });
  const set = savedCharset === undefined ? '' : `\x1b(${designatorOf(savedCharset)}`;
  // Underline style, its colour and link are not saved; that there were some is, and any link says it.
  const link = hasExtended(savedCurAttrData.bg) ? '\x1b]8;;x:\x1b\\' : '';
  return `${place}${attributes}${set}${link}\x1b7\x1b(B\x1b[m${link === '' ? '' : '\x1b]8;;\x1b\\'}`;
}

function tabStops({ size }: ReplayTerminal, { tabs }: ScreenBuffer): string {
  const set = Array.from({ length: size.cols }, (_, x) => tabs[x] === true);
  if (set.every((is, x) => is === (x % 8 === 0))) return '';
  return `\x1b[3g${set.map((is, x) => (is ? `\x1b[${x + 1}G\x1bH` : '')).join('')}`;
}

function margins({ size }: ReplayTerminal, { scrollTop, scrollBottom }: ScreenBuffer): string {
  return scrollTop === 0 && scrollBottom === size.rows - 1
    ? ''
    : `\x1b[${scrollTop + 1};${scrollBottom + 1}r`;
}

const SLOTS = ['(', ')', '*', '+'] as const;
const SHIFTS = ['\x0f', '\x0e', '\x1bn', '\x1bo'] as const;

/** After a restored cursor the set in use need not be one of the four. */
function charset(terminal: ReplayTerminal): string {
  const { _charsets, glevel, charset } = terminal.core._charsetService;
  const slots = SLOTS.map((slot, index) => {
    const set = _charsets[index];
    return set === undefined ? '' : `\x1b${slot}${designatorOf(set)}`;
  });
  const restored = charset !== _charsets[glevel] ? '\x1b8' : '';
  return `${slots.join('')}${glevel === 0 ? '' : SHIFTS[glevel]}${restored}`;
}

function cursor(terminal: ReplayTerminal, rows: RowWriter): string {
  const { active, core, size } = terminal;
  const isRelative = core.coreService.decPrivateModes.origin;
  const row = active.y + 1 - (isRelative ? active.scrollTop : 0);
  const at = (x: number) => `${isRelative ? '\x1b[?6h' : ''}\x1b[${row};${x + 1}H`;
  if (active.x < size.cols) return at(active.x);
  // Behind the last column: what stands there is written once more.
  const line = active.lines.get(active.ybase + active.y);
  if (line === undefined) return at(size.cols - 1);
  const last = widthAt(line, size.cols - 1) === 0 ? size.cols - 2 : size.cols - 1;
  const hasCharset = core._charsetService.charset !== undefined;
  // A set in use would translate it.
  if (hasCharset) return at(size.cols - 1);
  return at(last) + rows.attributes(line, last) + (charsAt(line, last) || ' ');
}

function modes({ core }: ReplayTerminal): string {
  const { modes, decPrivateModes: is, isCursorHidden } = core.coreService;
  const { activeProtocol, activeEncoding } = core.coreMouseService;
  const { convertEol, cursorBlink } = core.optionsService.options;
  return [
    is.applicationCursorKeys && '\x1b[?1h',
    is.applicationKeypad && '\x1b[?66h',
    is.bracketedPasteMode && '\x1b[?2004h',
    is.reverseWraparound && '\x1b[?45h',
    is.sendFocus && '\x1b[?1004h',
    is.synchronizedOutput && '\x1b[?2026h',
    is.cursorStyle !== undefined && `\x1b[${cursorStyle(is.cursorStyle, is.cursorBlink)} q`,
    modes.insertMode && '\x1b[4h',
    convertEol && '\x1b[20h',
    cursorBlink && '\x1b[?12h',
    MOUSE_PROTOCOLS[activeProtocol],
    MOUSE_ENCODINGS[activeEncoding],
    isCursorHidden && '\x1b[?25l',
    !is.wraparound && '\x1b[?7l',
  ]
    .filter((sequence) => typeof sequence === 'string')
    .join('');
}

const MOUSE_PROTOCOLS: Readonly<Record<string, string>> = {
  X10: '\x1b[?9h',
  VT200: '\x1b[?1000h',
  DRAG: '\x1b[?1002h',
  ANY: '\x1b[?1003h',
};
const MOUSE_ENCODINGS: Readonly<Record<string, string>> = { SGR: '\x1b[?1006h', SGR_PIXELS: '\x1b[?1016h' };
const CURSOR_STYLES = ['block', 'underline', 'bar'];

function cursorStyle(style: string, blinks: boolean | undefined): number {
  return CURSOR_STYLES.indexOf(style) * 2 + (blinks === true ? 1 : 2);
}

function finalAttributes({ core }: ReplayTerminal, rows: RowWriter): string {
  const current = core._inputHandler._curAttrData;
  return rows.link(current.extended.urlId) + attributeSequence(current);
}

let designators: Map<CharacterSet, string> | null = null;

/** xterm does not say which letter names a set, so every one is tried once. */
function designatorOf(set: CharacterSet): string {
  designators ??= namedSets();
  return designators.get(set) ?? 'B';
}

function namedSets(): Map<CharacterSet, string> {
  const terminal = new ReplayTerminal({ cols: 2, rows: 1 });
  const sets = new Map<CharacterSet, string>();
  for (const letter of '0ABCEHKQRYZ4567=') {
    terminal.write(`\x1b(${letter}`);
    const set = terminal.core._charsetService._charsets[0];
    if (set !== undefined && !sets.has(set)) sets.set(set, letter);
  }
  terminal.dispose();
  return sets;
}
