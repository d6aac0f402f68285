import { useCommandKeys } from '../commands/current-keys.ts';
import { activityWords, boundWords } from '../governed/governed-words.ts';
import { useConnection } from '../state/connection-store.ts';
import { useGoverned } from '../state/governed-store.ts';
import { type Pane, paneName, stateWord, usePanes } from '../state/panes-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { TranscriptsStatus } from '../transcripts/TranscriptsStatus.tsx';
import { useSecond } from '../ui/use-second.ts';
import { activePaneOf } from './layout.ts';
import { outcomeMark } from './outcome-words.ts';
import { engineWords } from './posture-words.ts';
import './status-line.css';

/** The facts of the active pane. */
export function StatusLine() {
  const active = useWorkspace((state) => activePaneOf(state.layout));
  const pane = usePanes((state) => (active === null ? null : (state.panes[active] ?? null)));
  const palette = useCommandKeys('app.palette');
  const place = useWorkspace((state) => state.place);
  if (place === 'transcripts') return <TranscriptsStatus />;
  return (
    <footer className="status-line">
      {pane === null ? (
        <>
          <span>No sessions</span>
          <span className="status-space" />
          {palette && <span>{palette.join(' ')} for everything</span>}
        </>
      ) : (
        <PaneStatus pane={pane} />
      )}
    </footer>
  );
}

function PaneStatus({ pane }: { readonly pane: Pane }) {
  const { profile, session, state, size, governed } = pane;
  const connected = useConnection(({ connection }) => connection.kind === 'connected');
  const runs = state.kind === 'running';
  return (
    <>
      <strong className="status-name">{paneName(pane)}</strong>
      {governed !== null && runs ? <GovernedStatus pane={pane} /> : <span>{stateWords(pane)}</span>}
      {session !== null && (
        <span className={governed === null ? 'status-engine' : 'status-minor'}>
          {engineWords(session.posture)}
        </span>
      )}
      {session !== null && governed === null && (
        <span className="status-minor">limits by {session.posture.limits.enforcedBy}</span>
      )}
      {!connected && <span>not connected</span>}
      <span className="status-space" />
      {runs && governed === null && profile.escapeCharacter !== null && (
        <span>
          <code>{profile.escapeCharacter}?</code> for escapes
        </span>
      )}
      {size !== null && (
        <span className="status-size" title="Columns × rows">
          {size.cols} × {size.rows}
        </span>
      )}
    </>
  );
}

/** What a governed session does, what it may still do, and until when. */
function GovernedStatus({ pane }: { readonly pane: Pane }) {
  const status = useGoverned((state) => state.statuses[pane.session?.id ?? '']);
  const now = useSecond(status !== undefined && status.activity.kind !== 'closed');
  if (status === undefined) return <span>{stateWords(pane)}</span>;
  const words = [activityWords(status.activity), ...boundWords(status, now)];
  return words.map((text, index) => (
    // The facts keep their places while their numbers change.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <span key={index} className="status-count">
      {text}
    </span>
  ));
}

function stateWords(pane: Pane): string {
  const { state } = pane;
  switch (state.kind) {
    case 'ended':
    case 'needs-attention':
      return outcomeMark(state);
    case 'running':
      if (state.suspended) return 'suspended';
      if (state.route === 'prompt') return 'decision open';
      return state.route === 'sandbox' ? 'running' : `output held, ${state.route}`;
    case 'releasing':
      return 'ending';
    case 'failed':
      return 'did not open';
    case 'lost':
      return 'outcome unknown';
    default:
      return stateWord(pane);
  }
}
