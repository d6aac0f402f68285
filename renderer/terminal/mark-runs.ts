import { CELL_JOINS_MAX } from '../../shared/terminal/limits.ts';

const MARKS = '[\\p{M}\\p{Cf}]';
const LONG_RUN = new RegExp(`(${MARKS}{${CELL_JOINS_MAX}})${MARKS}+`, 'gu');
/** Below U+0300 there is no mark. On text of one byte a character, which logs are, this test costs nothing. */
const BEYOND_LATIN = /[^\u0000-\u02ff]/;

/**
 * Text without more than CELL_JOINS_MAX combining marks and format characters in a row, those over it left out. Bounding
 * what joins into one cell is not enough: browsers shape a row of cells as one text, in which marks without a letter
 * between them pile up, and a page then takes half a minute to draw a screen of them (B30).
 */
export function boundMarkRuns(text: string): string {
  return BEYOND_LATIN.test(text) ? text.replace(LONG_RUN, '$1') : text;
}
