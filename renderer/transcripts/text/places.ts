import { markedParts } from '../list/result-rows.ts';

/** A line in parts that are the searched text, in whatever case, or not. */
export function placesOf(text: string, search: string): ReturnType<typeof markedParts> {
  if (search === '') return [{ text, marked: false }];
  const matches: { start: number; end: number }[] = [];
  const pattern = new RegExp(search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu');
  for (const { index, 0: match } of text.matchAll(pattern))
    matches.push({ start: index, end: index + match.length });
  return markedParts(text, matches);
}
