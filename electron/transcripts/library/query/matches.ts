import { LIST } from '../../../../shared/transcripts/limits.ts';
import type { Hit } from '../../../../shared/transcripts/transcript.ts';
import { fold } from '../index/fold.ts';

/** Places of a search in a text, without case. */
export function matchesIn(text: string, folded: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  const searched = fold(text);
  for (let at = searched.indexOf(folded); at !== -1; at = searched.indexOf(folded, at + folded.length))
    found.push({ start: at, end: at + folded.length });
  return found;
}

/** A line as a list shows it: cut around its first match. */
export function hitOf(line: string, folded: string, atMs: number, number: number | null): Hit {
  const [first] = matchesIn(line, folded);
  const before = Math.max(0, Math.floor((LIST.hitChars - folded.length) / 2));
  const from = Math.min(Math.max(0, (first?.start ?? 0) - before), Math.max(0, line.length - LIST.hitChars));
  // Where the search itself is longer, all of it.
  const text = line.slice(from, from + Math.max(LIST.hitChars, folded.length)).toWellFormed();
  return { atMs, line: number, text, matches: matchesIn(text, folded) };
}
