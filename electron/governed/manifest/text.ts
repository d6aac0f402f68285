import { visibleParts } from '../../../shared/terminal/visible-text.ts';

/** Characters of a message that quotes a file's own words. */
const SHOWN_MAX_CHARS = 300;

/** Text of a file as it may stand in a message: nothing invisible, one line, bounded (B24). */
export function shown(text: string, maxChars = SHOWN_MAX_CHARS): string {
  const candidate = text.slice(0, maxChars + 1);
  const visible = visibleParts(candidate)
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'line-end' ? ' ' : `<${part.label}>`))
    .join('');
  return text.length > maxChars ? `${visible.slice(0, maxChars)}…` : visible;
}

/** True when `text` has a character that does not show as itself: a control, a direction mark, a blank look-alike. */
export function hasHidden(text: string): boolean {
  return visibleParts(text).some((part) => part.kind !== 'text');
}

const WHITE_SPACE = /^\p{White_Space}$/u;

/**
 * Trims what Rust's `str::trim` trims (Unicode White_Space): unlike JavaScript's, U+0085 goes and U+FEFF stays. Linear, unlike
 * a regular expression anchored at the end.
 */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITE_SPACE.test(text.charAt(start))) start += 1;
  while (end > start && WHITE_SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
