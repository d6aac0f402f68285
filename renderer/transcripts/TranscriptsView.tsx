import { useEffect, useRef } from 'react';
import { useServices } from '../app/services.ts';
import { useConnection } from '../state/connection-store.ts';
import { useTranscripts } from '../state/transcripts-store.ts';
import { ImportStrip } from './exchange/ImportStrip.tsx';
import { useImport } from './exchange/use-import.ts';
import { EmptyList } from './list/EmptyList.tsx';
import { FilterChips } from './list/FilterChips.tsx';
import { insteadOfList } from './list/list-words.ts';
import { ResultList } from './list/ResultList.tsx';
import { SearchBox } from './list/SearchBox.tsx';
import { useListCursor } from './list/use-list-cursor.ts';
import { NothingOpen, OpenTranscript } from './player/OpenTranscript.tsx';
import './transcripts.css';

/** Finds transcripts on the left, replays one on the right. Nothing here is live. */
export function TranscriptsView() {
  const { transcripts } = useServices();
  const { found, error, kept, landing } = useTranscripts();
  const connected = useConnection(({ connection }) => connection.kind === 'connected');
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const cursor = useListCursor(list);
  const importing = useImport();
  useEffect(() => void transcripts.load(), [transcripts]);
  useKeys({ '/': () => search.current?.select(), j: () => cursor.move(1), k: () => cursor.move(-1) });
  const instead = insteadOfList({ connected, found, error, kept });
  return (
    <main className="transcripts" aria-label="Transcripts">
      <h1 className="visually-hidden">Transcripts</h1>
      <section
        className="transcripts-find"
        aria-label="Find transcripts"
        data-drop={importing.dragged || undefined}
        {...importing.dropTarget}
      >
        <div className="transcripts-query">
          <SearchBox input={search} onDown={() => cursor.move(0)} onEnter={() => cursor.open()} />
          <FilterChips />
        </div>
        {instead === null ? (
          <ResultList element={list} cursor={cursor} />
        ) : (
          <EmptyList instead={instead} onImport={importing.choose} />
        )}
        <ImportStrip importing={importing} />
      </section>
      {landing === null ? (
        <NothingOpen hasSome={(found?.transcripts.length ?? 0) > 0} />
      ) : (
        <OpenTranscript key={landing.id} landing={landing} onLeave={() => cursor.focus()} />
      )}
    </main>
  );
}

/** Single keys that work wherever the focus is in this place, but where it takes text or is a menu's. */
function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const act = keys[event.key];
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return;
      if (takesText(event.target)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}

/** xterm's own field gets no text in a replay. */
function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target.classList.contains('xterm-helper-textarea')) return false;
  return target.closest('input, textarea, [role=menu], [role=dialog]') !== null;
}
