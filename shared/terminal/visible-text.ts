/**
 * Text of a program or of the clipboard, taken apart so that nothing in it is invisible (B11, B13, B24): every
 * control, format, separator, private-use and unassigned code point becomes a code that is shown, and counted.
 */
export type VisiblePart =
  | { readonly kind: 'text'; readonly text: string }
  /** The end of a line (LF, CRLF or CR). */
  | { readonly kind: 'line-end' }
  /** A code point that would not show: "ESC", "TAB", "U+202E". */
  | { readonly kind: 'code'; readonly label: string };

/** Not drawn, or drawn as nothing, by fonts although their category is another one: fillers and blanks. */
export const BLANKS =
  '\u00a0\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}';
const HIDDEN = new RegExp(`\\r\\n|[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}${BLANKS}]`, 'gu');

const CONTROL_NAMES =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

export function visibleParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let at = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > at) parts.push({ kind: 'text', text: text.slice(at, match.index) });
    parts.push(hiddenPart(match[0]));
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

/** `text` on one line with nothing invisible in it, for lists and labels: at most `maxChars` UTF-16 units. */
export function visibleLine(text: string, maxChars: number): string {
  const shown = visibleParts(text.slice(0, 4 * maxChars))
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'code' ? `<${part.label}>` : ' '))
    .join('');
  return shown.length > maxChars ? `${shown.slice(0, maxChars - 1)}…`.toWellFormed() : shown;
}

/** How many code points of `text` are shown as codes. Line ends and tabs are ordinary and not counted. */
export function hiddenCount(text: string): number {
  return visibleParts(text).filter((part) => part.kind === 'code' && part.label !== 'TAB').length;
}

function hiddenPart(hidden: string): VisiblePart {
  if (hidden === '\n' || hidden === '\r' || hidden === '\r\n') return { kind: 'line-end' };
  const code = hidden.codePointAt(0) ?? 0;
  return {
    kind: 'code',
    label: CONTROL_NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`,
  };
}
