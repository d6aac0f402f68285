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
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === '/') search.current?.select();
    else if (event.key === 'j') cursor.move(1);
    else if (event.key === 'k') cursor.move(-1);
    else return;
    event.preventDefault();
  };
  const instead = insteadOfList({ connected, found, error, kept });
  return (
    <main className="transcripts" aria-label="Transcripts" onKeyDown={onKeyDown}>
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

/** xterm's own field gets no text in a replay. */
function isTyping(target: EventTarget): boolean {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return false;
  return !target.classList.contains('xterm-helper-textarea');
}
