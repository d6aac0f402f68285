import { TITLE } from './limits.ts';
import { BLANKS } from './visible-text.ts';

/** Controls, formats (direction marks, joiners), surrogates, private use, unassigned, separators, fillers and blanks. */
const NOT_TEXT = new RegExp(`[\\p{C}\\p{Zl}\\p{Zp}${BLANKS}]`, 'gu');
const SPACES = /[\t\r\n\p{Zs}]/gu;

/**
 * A program's title as plain text that can stand in a tab, a window list or a notification (B15). Empty when nothing
 * readable is left.
 */
export function cleanTitle(raw: string): string {
  // A title may be 10 MB long; what is cut here could only have been shown if almost all before it were removed.
  const candidate = raw.slice(0, TITLE.maxChars * 8);
  const text = candidate.replace(SPACES, ' ').replace(NOT_TEXT, '').replace(/ +/g, ' ').trim();
  return [...text].slice(0, TITLE.maxChars).join('').trimEnd();
}
