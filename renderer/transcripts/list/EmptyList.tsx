import { useEffect } from 'react';
import { useServices } from '../../app/services.ts';
import { useTranscripts } from '../../state/transcripts-store.ts';
import { Button } from '../../ui/Button.tsx';
import { counted } from '../../ui/format.ts';
import type { Instead } from './list-words.ts';

interface EmptyListProps {
  readonly instead: Instead;
  readonly onImport: () => void;
}

/** Why there is no list, and what to do about it. */
export function EmptyList({ instead, onImport }: EmptyListProps) {
  const { transcripts } = useServices();
  switch (instead.kind) {
    case 'waiting':
      return (
        <p className="list-empty" role="status">
          Reading transcripts…
        </p>
      );
    case 'unavailable':
      return (
        <div className="list-empty" role="status">
          <p className="list-empty-title">Transcripts are not available</p>
          <p>{instead.why}</p>
        </div>
      );
    case 'nothing-kept':
      return (
        <div className="list-empty">
          <p className="list-empty-title">No transcripts yet</p>
          <p>
            Open a shell or a governed session: it is recorded here while it runs, unless its profile says
            otherwise. A recording made elsewhere can be shown here as well.
          </p>
          <Button onPress={onImport}>Import a .cast file…</Button>
        </div>
      );
    case 'looking-on':
      return <LookingOn />;
    case 'no-match':
      return (
        <div className="list-empty" role="status">
          <p className="list-empty-title">Nothing matches</p>
          {instead.change.map((words) => (
            <p key={words}>{words}</p>
          ))}
          {instead.indexing > 0 && <p>{counted(instead.indexing, 'transcript')} still being indexed.</p>}
          <Button onPress={() => transcripts.lookForAll()}>Show all transcripts</Button>
        </div>
      );
  }
}

/** Looks through the rest, page by page. */
function LookingOn() {
  const { transcripts } = useServices();
  const found = useTranscripts((state) => state.found);
  // biome-ignore lint/correctness/useExhaustiveDependencies: from where each page has ended
  useEffect(() => void transcripts.loadMore(), [transcripts, found]);
  return (
    <p className="list-empty" role="status">
      Nothing found so far. Older transcripts are being searched…
    </p>
  );
}
