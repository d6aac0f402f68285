import { CELL_JOINS_MAX } from '../../shared/terminal/limits.ts';

const MARKS = '[\\p{M}\\p{Cf}]';
const LONG_RUN = new RegExp(`(${MARKS}{${CELL_JOINS_MAX}})${MARKS}+`, 'gu');
const RUN_AT_END = new RegExp(`${MARKS}+$`, 'u');
const SOFT_HYPHEN = 0xad;
/** Of marks and format characters only the soft hyphen is below. */
const FIRST_MARK = 0x300;

/**
 * Text without more than CELL_JOINS_MAX combining marks and format characters in a row, those over it left out. Bounding
 * what joins into one cell is not enough: browsers shape a row of cells as one text, in which marks without a letter
 * between them pile up, and a page then takes half a minute to draw a screen of them (B30).
 */
export function boundMarkRuns(text: string): string {
  return mayHoldLongRun(text) ? text.replace(LONG_RUN, '$1') : text;
}

/** The marks and format characters that bounded text ends with. */
export function marksAtEnd(text: string): string {
  // A mark is two units at most.
  return RUN_AT_END.exec(text.slice(-2 * CELL_JOINS_MAX))?.[0] ?? '';
}

/** Looks at every 13th unit: a run that is too long cannot lie between two of them. All output passes here. */
function mayHoldLongRun(text: string): boolean {
  for (let at = CELL_JOINS_MAX; at < text.length; at += CELL_JOINS_MAX + 1) {
    if (mayBeMark(text, at) && isLongRun(text, at)) return true;
  }
  return false;
}

/** Whether more than CELL_JOINS_MAX units in a row, `at` among them, may be marks. */
function isLongRun(text: string, at: number): boolean {
  let from = at;
  let to = at + 1;
  while (mayBeMark(text, from - 1)) from -= 1;
  while (mayBeMark(text, to)) to += 1;
  return to - from > CELL_JOINS_MAX;
}

function mayBeMark(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= FIRST_MARK || unit === SOFT_HYPHEN;
}
