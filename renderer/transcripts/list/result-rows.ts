import type { FoundTranscript, Hit } from '../../../shared/transcripts/transcript.ts';
import type { Landing } from '../../state/transcripts-store.ts';

/** A row of the result list: a transcript, a line of it where the search was found, or how many more there are. */
export type ResultRow = {
  /** The same in every list of the same search, wherever the row is in it. */
  readonly key: string;
  readonly transcript: FoundTranscript;
  readonly isLast: boolean;
} & (
  | { readonly kind: 'transcript' }
  | { readonly kind: 'hit'; readonly hit: Hit }
  | { readonly kind: 'more'; readonly count: number }
);

/** Pixels of a row, and what the last one of a transcript has below it. */
export const ROW_HEIGHT = { transcript: 50, hit: 21, more: 21, below: 8 } as const;

export function resultRows(transcripts: readonly FoundTranscript[]): ResultRow[] {
  return transcripts.flatMap((transcript): ResultRow[] => {
    const { id, hits, hitCount } = transcript;
    const rest = hitCount - hits.length;
    return [
      { kind: 'transcript', key: id, transcript, isLast: hits.length === 0 },
      ...hits.map((hit, index) => ({
        kind: 'hit' as const,
        // In the raw record places have no line; new ones come behind those that are there.
        key: `${id}-${hit.line ?? `raw-${index}`}`,
        transcript,
        hit,
        isLast: index === hits.length - 1 && rest <= 0,
      })),
      ...(rest > 0 && hits.length > 0
        ? [{ kind: 'more' as const, key: `${id}-more`, transcript, count: rest, isLast: true }]
        : []),
    ];
  });
}

/** Which row of a list that was asked for anew is the one with a key; where that is gone, the one in its place. */
export function rowAgain(
  rows: readonly ResultRow[],
  { key, index }: { readonly key: string | undefined; readonly index: number },
): number {
  const again = rows.findIndex((row) => row.key === key);
  return again === -1 ? Math.max(0, Math.min(index, rows.length - 1)) : again;
}

export function rowHeight({ kind, isLast }: ResultRow): number {
  return ROW_HEIGHT[kind] + (isLast ? ROW_HEIGHT.below : 0);
}

/** Where a row leads: a transcript to its first hit, or to its end where nothing was searched for. */
export function landingOf(row: ResultRow, search: string): Landing {
  const { transcript } = row;
  const hit =
    row.kind === 'hit' ? row.hit : row.kind === 'more' ? transcript.hits.at(-1) : transcript.hits[0];
  return {
    id: transcript.id,
    atMs: hit?.atMs ?? null,
    search: hit === undefined ? '' : search,
    line: hit?.line ?? null,
  };
}

/** A text in parts that are marked or not. Matches outside of it, or over each other, are cut to what there is. */
export function markedParts(
  text: string,
  matches: readonly { readonly start: number; readonly end: number }[],
): { readonly text: string; readonly marked: boolean }[] {
  const parts: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const { start, end } of matches.toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(at, start);
    const to = Math.min(text.length, end);
    if (to <= from) continue;
    if (from > at) parts.push({ text: text.slice(at, from), marked: false });
    parts.push({ text: text.slice(from, to), marked: true });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), marked: false });
  return parts;
}

/**
 * A found line in three: what comes before its first match, that match, and the rest, in which there may be more. Where all
 * of it has no room, the first part is cut at its beginning and the last at its end.
 */
export function hitParts({ text, matches }: Pick<Hit, 'text' | 'matches'>): {
  readonly before: string;
  readonly match: string;
  readonly after: ReturnType<typeof markedParts>;
} {
  const parts = markedParts(text, matches);
  const first = parts.findIndex(({ marked }) => marked);
  if (first === -1) return { before: '', match: '', after: parts };
  return {
    // Of what a line is indented by nothing is worth the room.
    before: (first === 0 ? '' : (parts[0]?.text ?? '')).trimStart(),
    match: parts[first]?.text ?? '',
    after: parts.slice(first + 1),
  };
}
