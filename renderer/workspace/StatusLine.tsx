import { useCommandKeys } from '../commands/current-keys.ts';
import { useConnection } from '../state/connection-store.ts';
import { type Pane, stateWord, usePanes } from '../state/panes-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { activePaneOf } from './layout.ts';
import { outcomeMark } from './outcome-words.ts';
import './status-line.css';

/** The facts of the active pane. */
export function StatusLine() {
  const active = useWorkspace((state) => activePaneOf(state.layout));
  const pane = usePanes((state) => (active === null ? null : (state.panes[active] ?? null)));
  const palette = useCommandKeys('app.palette');
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
  const { profile, session, state, size } = pane;
  const connected = useConnection(({ connection }) => connection.kind === 'connected');
  const runs = state.kind === 'running';
  return (
    <>
      <strong className="status-name">{profile.name}</strong>
      <span>{stateWords(pane)}</span>
      {session !== null && (
        <span>
          {session.posture.engine} {session.posture.engineVersion}
        </span>
      )}
      {session !== null && (
        <span className="status-minor">limits by {session.posture.limits.enforcedBy}</span>
      )}
      {!connected && <span>not connected</span>}
      <span className="status-space" />
      {runs && profile.escapeCharacter !== null && (
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

function stateWords(pane: Pane): string {
  const { state } = pane;
  switch (state.kind) {
    case 'ended':
    case 'needs-attention':
      return outcomeMark(state);
    case 'running':
      if (state.suspended) return 'suspended';
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
