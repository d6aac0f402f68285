import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import type { Hit } from '../../../shared/transcripts/transcript.ts';
import { useServices } from '../../app/services.ts';
import { useTranscripts } from '../../state/transcripts-store.ts';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { clockTime, summaryFacts, whenAndHowLong } from '../transcript-words.ts';
import { offsetsOf, visibleRows } from '../virtual-rows.ts';
import { hitParts, type ResultRow, rowHeight } from './result-rows.ts';
import type { ListCursor } from './use-list-cursor.ts';

/** Rows beside the visible ones that are drawn too, and how near to its end the list asks for more. */
const BESIDE = 10;
const NEAR_END = 20;

interface ResultListProps {
  readonly element: RefObject<HTMLDivElement | null>;
  readonly cursor: ListCursor;
}

/** Transcripts, newest first, each with the lines that were searched for. Only what is near the screen is in the page. */
export function ResultList({ element, cursor }: ResultListProps) {
  const { transcripts } = useServices();
  const found = useTranscripts((state) => state.found);
  const openId = useTranscripts(({ landing }) => landing?.id ?? null);
  const { rows, index } = cursor;
  const offsets = offsetsOf(rows.map(rowHeight));
  const view = useScrolled(element);
  const range = visibleRows(offsets, view.top, view.height, BESIDE);
  const goesOn = found !== null && found.next !== null;
  const nearEnd = range.end + NEAR_END >= rows.length;
  useEffect(() => {
    if (nearEnd && found !== null) void transcripts.loadMore();
  }, [nearEnd, found, transcripts]);
  const current = rows[index]?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the cursor moves, not when its row does
  useLayoutEffect(() => keepInView(element.current, offsets, index), [current]);
  const onKeyDown = (event: React.KeyboardEvent) => {
    const page = Math.max(1, range.end - range.start - 2 * BESIDE - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key];
    if (step !== undefined) cursor.move(step);
    else if (event.key === 'Home') cursor.moveTo(0);
    else if (event.key === 'End') cursor.moveTo(rows.length - 1);
    else if (event.key === 'Enter' || event.key === ' ') cursor.open();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={element}
      className="results"
      role="listbox"
      aria-label="Transcripts"
      tabIndex={0}
      aria-activedescendant={current === undefined ? undefined : rowId(current)}
      aria-busy={goesOn && nearEnd}
      onKeyDown={onKeyDown}
    >
      <div className="results-all" role="presentation" style={{ height: offsets.at(-1) }}>
        {rows.slice(range.start, range.end).map((row, near) => {
          const at = range.start + near;
          return (
            // The keyboard is the list's: rows have no focus of their own.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            <div
              key={row.key}
              id={rowId(row.key)}
              className="result"
              role="option"
              aria-selected={at === index}
              aria-setsize={goesOn ? -1 : rows.length}
              aria-posinset={at + 1}
              tabIndex={-1}
              data-kind={row.kind}
              data-open={row.transcript.id === openId || undefined}
              data-last={row.isLast || undefined}
              data-transcript={row.transcript.id}
              style={{ top: offsets[at], height: rowHeight(row) }}
              onClick={() => cursor.open(at)}
            >
              <RowContent row={row} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function RowContent({ row }: { readonly row: ResultRow }) {
  switch (row.kind) {
    case 'transcript': {
      const { title, startedAt, indexed } = row.transcript;
      return (
        <>
          <span className="result-title">
            <VisibleText text={title} limit={200} />
          </span>
          <span className="result-when" title={startedAt ?? ''}>
            {whenAndHowLong(row.transcript)}
          </span>
          <span className="result-facts">
            <VisibleText text={summaryFacts(row.transcript).join(' · ')} limit={200} />
            {indexed < 1 && (
              <span className="result-indexing"> · {Math.floor(indexed * 100)} % searchable</span>
            )}
          </span>
        </>
      );
    }
    case 'hit':
      return (
        <>
          <span className="hit-time">{clockTime(row.hit.atMs)}</span>
          <HitText hit={row.hit} />
        </>
      );
    case 'more':
      return <span className="hit-more">and {row.count} more</span>;
  }
}

/** The match is always whole on the screen, with as much on both sides of it as there is room for. */
function HitText({ hit }: { readonly hit: Hit }) {
  const { before, match, after } = hitParts(hit);
  return (
    <span className="hit-text">
      <span className="hit-before">
        <bdi>
          <VisibleText text={before} limit={400} />
        </bdi>
      </span>
      {match !== '' && (
        <mark>
          <VisibleText text={match} limit={400} />
        </mark>
      )}
      <span className="hit-after">
        {after.map(({ text, marked }, part) => {
          // Parts never move: the index is their identity.
          const key = `${part}`;
          const Part = marked ? 'mark' : 'span';
          return (
            <Part key={key}>
              <VisibleText text={text} limit={400} />
            </Part>
          );
        })}
      </span>
    </span>
  );
}

function rowId(key: string): string {
  return `transcript-row-${key}`;
}

/** What an element shows of its content, kept in step with scrolling and size. */
function useScrolled(element: RefObject<HTMLElement | null>): {
  readonly top: number;
  readonly height: number;
} {
  const [view, setView] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const current = element.current;
    if (current === null) return;
    const look = () => setView({ top: current.scrollTop, height: current.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, [element]);
  return view;
}

function keepInView(element: HTMLElement | null, offsets: readonly number[], index: number): void {
  const from = offsets[index];
  const to = offsets[index + 1];
  if (element === null || from === undefined || to === undefined) return;
  if (from < element.scrollTop) element.scrollTop = from;
  else if (to > element.scrollTop + element.clientHeight) element.scrollTop = to - element.clientHeight;
}
