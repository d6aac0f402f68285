import { visibleLine } from '../../../../shared/terminal/visible-text.ts';
import { REDACTION } from '../../../../shared/transcripts/limits.ts';

/** What stands for a column of removed text. */
export const MASK = '█';

const SHOWN_CHARS = 4;

/** Enough to recognize what was removed and to know how long it was, and never more than a quarter of it. */
export function maskedForm(text: string): string {
  const characters = text.length;
  const beginning = text.slice(0, Math.min(SHOWN_CHARS, Math.floor(characters / 4))).toWellFormed();
  return `${visibleLine(beginning, REDACTION.shownMaxChars - 40)}${maskedLength(characters)}`;
}

/** Only how long it was. */
export function maskedLength(characters: number): string {
  return `… (${characters} character${characters === 1 ? '' : 's'})`;
}

/** Nothing but what stands for removed text. */
export function isMasked(text: string): boolean {
  return /^[█\s]*$/.test(text);
}
