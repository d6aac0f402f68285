import { TITLE } from './limits.ts';

/** Controls, formats (direction marks, joiners), surrogates, private use, unassigned, line and paragraph separators. */
const NOT_TEXT = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * A program's title as plain text that can stand in a tab, a window list or a notification (B15). Empty when nothing
 * readable is left.
 */
export function cleanTitle(raw: string): string {
  // A title may be 10 MB long; what is cut here could only have been shown if almost all before it were removed.
  const candidate = raw.slice(0, TITLE.maxChars * 8);
  const text = candidate
    .replace(/[\t\r\n]/g, ' ')
    .replace(NOT_TEXT, '')
    .replace(/\s+/g, ' ')
    .trim();
  return [...text].slice(0, TITLE.maxChars).join('').trimEnd();
}
