import { type RefObject, useState } from 'react';
import { useServices } from '../../app/services.ts';
import { useTranscripts } from '../../state/transcripts-store.ts';
import { landingOf, type ResultRow, resultRows } from './result-rows.ts';

/** The row that keys act on. */
export interface ListCursor {
  readonly rows: readonly ResultRow[];
  readonly index: number;
  /** By so many rows; the list gets the focus. */
  move(by: number): void;
  moveTo(index: number): void;
  /** Opens the row, or the one at `index`. */
  open(index?: number): void;
  focus(): void;
}

export function useListCursor(list: RefObject<HTMLElement | null>): ListCursor {
  const { transcripts } = useServices();
  const found = useTranscripts((state) => state.found);
  const [place, setPlace] = useState({ query: found?.query, index: 0 });
  const rows = resultRows(found?.transcripts ?? []);
  // Other results have another first row.
  const index = place.query === found?.query ? Math.min(place.index, Math.max(0, rows.length - 1)) : 0;
  const moveTo = (next: number) =>
    setPlace({ query: found?.query, index: Math.min(rows.length - 1, Math.max(0, next)) });
  return {
    rows,
    index,
    moveTo,
    move(by) {
      moveTo(index + by);
      list.current?.focus();
    },
    open(at = index) {
      const row = rows[at];
      if (row === undefined) return;
      moveTo(at);
      transcripts.open(landingOf(row, found?.query.search ?? ''));
    },
    focus() {
      list.current?.focus();
    },
  };
}
