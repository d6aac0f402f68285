import { type FoundTranscripts, isFiltered } from '../../state/transcripts-store.ts';
import { counted } from '../../ui/format.ts';

/**
 * "3 in 2 transcripts", "12 transcripts"; "300+ in 40+ transcripts" where not all could be counted. "no matches" only when all
 * was looked through.
 */
export function foundWords({ query, total, hitCount, next, counted: all = true }: FoundTranscripts): string {
  const transcripts = all ? counted(total, 'transcript') : `${total}+ transcripts`;
  if (query.search === '') return isFiltered(query) ? transcripts : '';
  if (total === 0) return next === null ? 'no matches' : 'nothing so far';
  return `${hitCount}${all ? '' : '+'} in ${transcripts}`;
}

/** What to say instead of a list. */
export type Instead =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'unavailable'; readonly why: string }
  | { readonly kind: 'nothing-kept' }
  /** Nothing was found so far, and there is more to look through. */
  | { readonly kind: 'looking-on' }
  | { readonly kind: 'no-match'; readonly change: readonly string[]; readonly indexing: number };

interface ListState {
  readonly connected: boolean;
  readonly found: FoundTranscripts | null;
  readonly error: string | null;
  readonly kept: { readonly count: number } | null;
}

/** Null when there is a list to show. */
export function insteadOfList({ connected, found, error, kept }: ListState): Instead | null {
  if (!connected)
    return { kind: 'unavailable', why: 'Not connected. They are here again when the connection is back.' };
  if (error !== null) return { kind: 'unavailable', why: error };
  if (found === null) return { kind: 'waiting' };
  if (found.transcripts.length > 0) return null;
  if (kept?.count === 0) return { kind: 'nothing-kept' };
  if (found.next !== null) return { kind: 'looking-on' };
  return { kind: 'no-match', change: whatToChange(found), indexing: found.indexing };
}

/** What could be left out of a query that finds nothing, most likely first. */
function whatToChange({ query }: FoundTranscripts): string[] {
  const filtered = isFiltered({ ...query, search: '' });
  return [
    ...(filtered ? ['Take filters away.'] : []),
    ...(query.search !== '' && !query.raw
      ? ['Text that a program overwrote or hid is found with “Raw output”.']
      : []),
    ...(query.search !== '' && query.raw
      ? [
          'Without “Raw output”, text is found as the screen showed it, also where a program wrote it in pieces.',
        ]
      : []),
  ];
}
