import { create } from 'zustand';
import type { FoundTranscript, ListPlace, TranscriptFilters } from '../../shared/transcripts/transcript.ts';

/** When what is looked for began, by the person's own calendar. */
export type DateRange = 'today' | 'week' | 'month' | 'year' | 'older';

/** What a list is cut down to. */
export interface ListFilters extends Omit<TranscriptFilters, 'from' | 'to'> {
  readonly date?: DateRange | undefined;
}

/** What a person looks for. */
export interface TranscriptQuery {
  readonly search: string;
  /** Searches what programs wrote, overwritten and hidden text included. */
  readonly raw: boolean;
  readonly filters: ListFilters;
}

export const NO_QUERY: TranscriptQuery = { search: '', raw: false, filters: {} };

/** The answer to a query, as far as it was read. */
export interface FoundTranscripts {
  readonly query: TranscriptQuery;
  readonly transcripts: readonly FoundTranscript[];
  readonly total: number;
  readonly hitCount: number;
  /** Where it goes on; null when all was looked through. */
  readonly next: ListPlace | null;
  /** False: there may be more than `total` and `hitCount` say. */
  readonly counted?: boolean | undefined;
  /** Transcripts that are not fully searchable yet. */
  readonly indexing: number;
}

/** The transcript that is open, and where in it. A new object lands anew, even on the same moment. */
export interface Landing {
  readonly id: string;
  /** Null: at its end, which shows how it was left. */
  readonly atMs: number | null;
  /** Text to mark, that was searched for; empty for none. */
  readonly search: string;
  /** The line of final text that was found; null where there is none. */
  readonly line: number | null;
}

/** A foreign file on its way in; `share` of it was sent, 0 to 1. */
export type ImportState =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading'; readonly name: string; readonly share: number }
  | { readonly kind: 'refused'; readonly name: string; readonly why: string };

interface TranscriptsStore {
  readonly query: TranscriptQuery;
  /** Null until there was an answer. While another query is on its way the last answer stays. */
  readonly found: FoundTranscripts | null;
  readonly searching: boolean;
  /** Why the list is not known, in words. */
  readonly error: string | null;
  /** All that is kept on disk; null until the host has said so. */
  readonly kept: { readonly count: number; readonly bytes: number; readonly maxBytes: number } | null;
  readonly landing: Landing | null;
  readonly importing: ImportState;
  /** Counts how often a person asked for the search field: each time it gets the focus. */
  readonly searchAsked: number;
}

export const useTranscripts = create<TranscriptsStore>(() => ({
  query: NO_QUERY,
  found: null,
  searching: false,
  error: null,
  kept: null,
  landing: null,
  importing: { kind: 'none' },
  searchAsked: 0,
}));

export function isFiltered({ search, filters }: TranscriptQuery): boolean {
  return search !== '' || Object.values(filters).some((value) => value !== undefined);
}
