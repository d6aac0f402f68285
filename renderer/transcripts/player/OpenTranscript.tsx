import { useCallback, useEffect, useState } from 'react';
import type { OpenedTranscript } from '../../../shared/transcripts/transcript.ts';
import { useServices } from '../../app/services.ts';
import { useConnection } from '../../state/connection-store.ts';
import type { Landing } from '../../state/transcripts-store.ts';
import { Button } from '../../ui/Button.tsx';
import { Keys } from '../../ui/Keys.tsx';
import { ReplayView } from './ReplayView.tsx';

interface OpenTranscriptProps {
  readonly landing: Landing;
  readonly onLeave: () => void;
}

/** The transcript that was chosen, once the host has opened it. */
export function OpenTranscript({ landing, onLeave }: OpenTranscriptProps) {
  const { transcripts } = useServices();
  const { id } = landing;
  const connected = useConnection(({ connection }) => connection.kind === 'connected');
  const [opened, setOpened] = useState<OpenedTranscript | null>(null);
  const [error, setError] = useState<string | null>(null);
  const read = useCallback(async () => {
    const answer = await transcripts.api.request('transcripts.open', { id });
    if (answer.ok) setOpened(answer.value);
    setError(answer.ok ? null : answer.error.message);
  }, [transcripts, id]);
  useEffect(() => {
    if (connected) void read();
  }, [connected, read]);
  if (opened !== null)
    return <ReplayView transcript={opened} landing={landing} onLeave={onLeave} onReopen={read} />;
  return (
    <section className="replay replay-empty" aria-label="Replay">
      {error === null ? (
        <p role="status">Opening the transcript…</p>
      ) : (
        <div className="replay-nothing" role="alert">
          <p className="list-empty-title">This transcript cannot be shown</p>
          <p>{error}</p>
          <Button onPress={() => transcripts.close()}>Close</Button>
        </div>
      )}
    </section>
  );
}

/** Nothing is open yet. */
export function NothingOpen({ hasSome }: { readonly hasSome: boolean }) {
  return (
    <section className="replay replay-empty" aria-label="Replay">
      {hasSome && (
        <dl className="replay-keys">
          <dt>
            <Keys keys={['/']} />
          </dt>
          <dd>searches all transcripts</dd>
          <dt>
            <Keys keys={['j']} /> <Keys keys={['k']} />
          </dt>
          <dd>go down and up the list</dd>
          <dt>
            <Keys keys={['Enter']} />
          </dt>
          <dd>opens one at what was found</dd>
          <dt>
            <Keys keys={['Space']} />
          </dt>
          <dd>plays and pauses it</dd>
        </dl>
      )}
    </section>
  );
}
