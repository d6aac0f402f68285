import { type RefObject, useLayoutEffect, useState } from 'react';
import { useServices } from '../../app/services.ts';
import { useTranscripts } from '../../state/transcripts-store.ts';
import { landingOf, type ResultRow, resultRows, rowAgain } from './result-rows.ts';

/** The row that keys act on. It stays the same when the list is asked for anew, and moves with it. */
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
  const rows = resultRows(found?.transcripts ?? []);
  const placeOf = (index: number) => ({ query: found?.query, key: rows[index]?.key, index });
  const [place, setPlace] = useState(() => placeOf(0));
  // Other results have another first row.
  const index = place.query === found?.query ? rowAgain(rows, place) : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every list it is where it is now
  useLayoutEffect(() => setPlace(placeOf(index)), [found]);
  const moveTo = (next: number) => setPlace(placeOf(Math.max(0, Math.min(rows.length - 1, next))));
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
