import { type VisiblePart, visibleParts } from './visible-text.ts';

/**
 * Text that a person decides on, taken apart so that it can be drawn as exactly what it is (B24): as `visibleParts`, and
 * besides line ends by their name, spaces that nobody can count, stacked marks, and characters that pass for others.
 * A line end still breaks the line, after its code.
 */
export function exactParts(text: string): VisiblePart[] {
  return text.split(LINE_END).flatMap((piece, index) => {
    // Every second piece is a line end, because the pattern captures it.
    if (index % 2 === 1) return [code(LINE_END_NAMES[piece] ?? 'LF'), { kind: 'line-end' } as const];
    return visibleParts(piece).flatMap((part) => (part.kind === 'text' ? plainParts(part.text) : [part]));
  });
}

/** How many codes are shown: what would not have been seen, or not for what it is. */
export function codeCount(parts: readonly VisiblePart[]): number {
  return parts.filter((part) => part.kind === 'code').length;
}

/** `text` in ASCII: everything else as JSON escapes it, which is how other programs show it (A12). */
export function asciiJson(json: string): string {
  return json.replace(/[^\x20-\x7e\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const LINE_END = /(\r\n|\r|\n)/;
const LINE_END_NAMES: Readonly<Record<string, string>> = { '\r\n': 'CRLF', '\r': 'CR', '\n': 'LF' };

const SPACES = /^ +| +$| {2,}/;
/** From the third mark on one letter: such towers reach over the lines around them. */
const STACKED = /(?<=\p{M}{2})\p{M}/u;
/**
 * A word with a character outside ASCII. ASCII before that is tried from the start of its run alone: tried from each
 * position, a long run without such a character would cost the square of its length.
 */
const WORD = /(?:(?<![\w-])[\w-]+)?(?=[^\p{ASCII}])[\p{L}\p{N}\p{M}_-]*[^\p{ASCII}][\p{L}\p{N}\p{M}_-]*/u;
const ODD = new RegExp(`${SPACES.source}|${STACKED.source}|${WORD.source}|[^\\p{ASCII}]`, 'gu');

/** Letters of other scripts that look like Latin ones: a word of nothing else reads as a Latin word. */
const LOOKALIKES = /^[асеорхуіјѕԁһԛԝАВЕЅКМНОРСТХУІЈοανιρυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ\p{ASCII}]+$/u;

function plainParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let at = 0;
  const put = (end: number) => {
    if (end > at) parts.push({ kind: 'text', text: text.slice(at, end) });
  };
  for (const { 0: odd, index } of text.matchAll(ODD)) {
    put(index);
    for (const part of oddParts(odd)) parts.push(part);
    at = index + odd.length;
  }
  put(text.length);
  return parts;
}

function oddParts(odd: string): VisiblePart[] {
  if (/^ /.test(odd)) return [code(odd.length === 1 ? 'SP' : `SP×${odd.length}`)];
  const mixed = /[A-Za-z]/.test(odd) || LOOKALIKES.test(odd);
  const parts: VisiblePart[] = [];
  let marks = 0;
  for (const character of odd) {
    marks = /\p{M}/u.test(character) ? marks + 1 : 0;
    if (marks > 2) parts.push(code(codePoint(character)));
    else if (passesForAnother(character, mixed)) parts.push(code(`${character} ${codePoint(character)}`));
    else parts.push({ kind: 'text', text: character });
  }
  return joined(parts);
}

/** Letters beside or in place of Latin ones, and characters that compatibility makes ASCII, as full-width ones. */
function passesForAnother(character: string, mixed: boolean): boolean {
  if (/^\p{ASCII}$/u.test(character)) return false;
  if (/[\x21-\x7e]/.test(character.normalize('NFKC'))) return true;
  return mixed && /\p{L}/u.test(character) && !/\p{Script=Latin}/u.test(character);
}

function joined(parts: readonly VisiblePart[]): VisiblePart[] {
  const result: VisiblePart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.kind === 'text' && last?.kind === 'text') {
      result[result.length - 1] = { kind: 'text', text: last.text + part.text };
    } else result.push(part);
  }
  return result;
}

function code(label: string): VisiblePart {
  return { kind: 'code', label };
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
