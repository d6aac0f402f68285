import type { IBuffer, Terminal } from '@xterm/xterm';
import { THEME_COLOURS } from '../../shared/terminal/program-colours.ts';

/** Ends a sequence that the program left unfinished without carrying it out. */
const CANCEL = '\x18';
/** Attributes, protection, open link, character sets. */
const PLAIN_TEXT = '\x1b[m\x1b[0"q\x1b]8;;\x1b\\\x1b(B\x1b)B\x1b*B\x1b+B\x0f';
/** Keypad and cursor keys, insert, line feed, wrap, cursor shown and of the settings' shape. */
const PLAIN_KEYS = '\x1b>\x1b[?1l\x1b[4l\x1b[20l\x1b[?7h\x1b[?45l\x1b[?25h\x1b[0 q';
/** Mouse in every form, focus, bracketed paste, synchronized output. */
const NO_REPORTS =
  '\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1016l\x1b[?1004l\x1b[?2004l\x1b[?2026l';
const WHOLE_SCREEN = '\x1b[?6l\x1b[r';

/**
 * What brings a terminal back to plain typing after its program ended without cleaning up (B32). To be written when all
 * output is parsed. The scrollback stays. The cursor moves only if the program left a scroll region, the origin mode or
 * the alternate screen on: `regionLeft` says so for the first.
 */
export function modeReset(
  terminal: Pick<Terminal, 'buffer' | 'rows' | 'modes'>,
  regionLeft: boolean,
): string {
  const { buffer, rows, modes } = terminal;
  const plain = CANCEL + PLAIN_TEXT + PLAIN_KEYS + NO_REPORTS + THEME_COLOURS;
  if (buffer.active.type === 'alternate') return plain + toNormalScreen(buffer.normal, rows);
  // Leaving either homes the cursor; saving and restoring it would drop a wrap that is due, hence only when needed.
  if (modes.originMode || regionLeft) return `${plain}\x1b7${WHOLE_SCREEN}\x1b8`;
  return plain;
}

/** Brings the tab stops back, for which there is no sequence: the terminal sets them anew when their distance changes. */
export function resetTabStops({ options }: Pick<Terminal, 'options'>): void {
  const { tabStopWidth = 8 } = options;
  options.tabStopWidth = tabStopWidth + 1;
  options.tabStopWidth = tabStopWidth;
}

/**
 * To the line after the last one with text. Where the program has saved the cursor is not known: some switch screens
 * without saving it, and then restoring would write over old text.
 */
function toNormalScreen(normal: IBuffer, rows: number): string {
  let row = rows - 1;
  while (row >= 0 && isBlank(normal, normal.baseY + row)) row -= 1;
  const below = row + 1;
  const place = below < rows ? `\x1b[${below + 1};1H` : `\x1b[${rows};1H\n`;
  return `${WHOLE_SCREEN}\x1b[?1047l${WHOLE_SCREEN}${place}`;
}

function isBlank(buffer: IBuffer, line: number): boolean {
  return (buffer.getLine(line)?.translateToString(true) ?? '') === '';
}
