import { useEffect, useRef, useState } from 'react';
import type { OpenedTranscript } from '../../../shared/transcripts/transcript.ts';
import { useServices } from '../../app/services.ts';
import { EDITS_TERMINAL } from '../../commands/key-dispatch.ts';
import { announce } from '../../state/announcements-store.ts';
import type { Landing } from '../../state/transcripts-store.ts';
import { ExportDialog } from '../exchange/ExportDialog.tsx';
import { FindWithin } from '../text/FindWithin.tsx';
import { TextView } from '../text/TextView.tsx';
import { useFindWithin } from '../text/use-find-within.ts';
import { Controls } from './Controls.tsx';
import { DeleteStrip } from './DeleteStrip.tsx';
import { MomentLine } from './Moments.tsx';
import { playerKey } from './player-keys.ts';
import { playsOn } from './player-state.ts';
import { usePlayerPreferences } from './preferences.ts';
import { ReplayHeader } from './ReplayHeader.tsx';
import { Timeline } from './Timeline.tsx';
import { type Replay, useLanding, usePlayerView, useReplay } from './use-player.ts';

interface ReplayViewProps {
  readonly transcript: OpenedTranscript;
  readonly landing: Landing;
  readonly onLeave: () => void;
  readonly onReopen: () => Promise<void>;
}

/** One transcript: its terminal at a moment, its text beside that, its timeline. */
export function ReplayView(props: ReplayViewProps) {
  const replay = useReplay(props.transcript);
  useLanding(replay, props.landing, props.transcript.durationMs);
  if (replay === null) return <section className="replay replay-empty" aria-label="Replay" />;
  return <Loaded {...props} replay={replay} />;
}

type Asked = 'nothing' | 'export' | 'delete';

function Loaded({
  transcript,
  landing,
  onLeave,
  onReopen,
  replay,
}: ReplayViewProps & { readonly replay: Replay }) {
  const { player, terminal } = replay;
  const view = usePlayerView(player);
  const text = usePlayerPreferences((preferences) => preferences.text);
  const [asked, setAsked] = useState<Asked>('nothing');
  const [hasSelection, setHasSelection] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLElement>(null);
  const find = useFindWithin(transcript.id, replay, landing);
  useEffect(() => {
    if (place.current !== null) terminal.attach(place.current);
    const selecting = terminal.on('selectionChanged', setHasSelection);
    return () => selecting.dispose();
  }, [terminal]);
  useControls({ replay, find, onExport: () => setAsked('export'), onReopen });
  useEffect(() => {
    root.current?.focus({ preventScroll: true });
  }, []);
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!playerKey(event, player, onLeave)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section
      ref={root}
      className="replay"
      aria-label="Replay"
      tabIndex={-1}
      {...{ [EDITS_TERMINAL]: true }}
      data-state={view.state.kind}
      data-time={Math.round(view.timeMs)}
      onKeyDown={onKeyDown}
    >
      <ReplayHeader
        transcript={transcript}
        terminal={terminal}
        hasText={text}
        onText={() => usePlayerPreferences.setState({ text: !text })}
        onFind={() => find.open()}
        onExport={() => setAsked('export')}
        onDelete={() => setAsked('delete')}
      />
      {asked === 'delete' && <DeleteStrip transcript={transcript} onClose={() => setAsked('nothing')} />}
      {find.shown && <FindWithin find={find} />}
      <div className="replay-views" data-text={text || undefined}>
        <div className="replay-screen" ref={place} />
        {text && (
          <TextView
            transcript={transcript}
            player={player}
            view={view}
            landing={find.landing}
            search={find.text}
          />
        )}
      </div>
      {view.state.kind === 'failed' && (
        <p className="replay-failed" role="alert">
          It cannot go on here: {view.state.message}
        </p>
      )}
      <footer className="replay-foot">
        <Timeline player={player} view={view} moments={transcript.moments} />
        {transcript.moments.length > 0 && <MomentLine moments={transcript.moments} timeMs={view.timeMs} />}
        <Controls player={player} view={view} transcript={transcript} isPlaying={playsOn(view.state)} />
      </footer>
      {asked === 'export' && (
        <ExportDialog
          transcript={transcript}
          selection={hasSelection ? terminal.selection : ''}
          onClose={() => setAsked('nothing')}
        />
      )}
    </section>
  );
}

interface ControlsOf {
  readonly replay: Replay;
  readonly find: ReturnType<typeof useFindWithin>;
  readonly onExport: () => void;
  readonly onReopen: () => Promise<void>;
}

/** Lets commands act on this transcript. */
function useControls({ replay, find, onExport, onReopen }: ControlsOf): void {
  const { transcripts } = useServices();
  useEffect(() => {
    const { player, terminal } = replay;
    const own = {
      togglePlay: () => (playsOn(player.view.state) ? player.pause() : player.play()),
      toggleText: () => usePlayerPreferences.setState(({ text }) => ({ text: !text })),
      openFind: find.open,
      findAgain: find.again,
      copy: () => void terminal.copy().then((refusal) => announce(refusal ?? 'Copied.')),
      selectAll: () => terminal.selectAll(),
      openExport: onExport,
      reopen: () => void onReopen(),
      hasSelection: () => terminal.selection !== '',
    };
    transcripts.controls = own;
    return () => {
      if (transcripts.controls === own) transcripts.controls = null;
    };
  });
}
