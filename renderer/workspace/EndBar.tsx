import { CircleAlert, CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import type { EngineKind } from '../../shared/terminal/engine-status.ts';
import { useServices } from '../app/services.ts';
import { useConnection } from '../state/connection-store.ts';
import type { Pane, PaneState } from '../state/panes-store.ts';
import { showProfile, showSettingsSection } from '../state/workspace-store.ts';
import { Button } from '../ui/Button.tsx';
import { Keys } from '../ui/Keys.tsx';
import { type EndingWords, endingWords } from './outcome-words.ts';
import './end-bar.css';

/** How the session of a pane ended, and what to do next. What it showed stays above, to be read and searched. */
export function EndBar({ pane, isActive }: { readonly pane: Pane; readonly isActive: boolean }) {
  const { sessions, workspace, transcripts } = useServices();
  const connected = useConnection((state) => state.connection.kind === 'connected');
  const { state } = pane;
  if (state.kind === 'releasing') {
    return (
      <footer className="end-bar end-bar-plain">
        <LoaderCircle className="end-icon" size={16} aria-hidden="true" />
        <p className="end-title">Ending the session…</p>
      </footer>
    );
  }
  const words = wordsOf(state, pane.profile.engine);
  if (words === null) return null;
  return (
    <section className={`end-bar end-bar-${words.tone}`} aria-label="How the session ended">
      <span className="end-icon">
        <ToneIcon tone={words.tone} />
      </span>
      <div className="end-words">
        <p className="end-title">{words.title}</p>
        {words.details.map((detail) => (
          <p key={detail} className="end-detail">
            {detail}
          </p>
        ))}
      </div>
      <div className="end-actions">
        {state.kind === 'failed' && state.error.tag === 'engine-unavailable' && (
          <Button onPress={() => showSettingsSection('engines')}>All engines</Button>
        )}
        {state.kind === 'needs-attention' && pane.profile.engine === 'smolvm' && pane.trial === null && (
          <Button onPress={() => showProfile(pane.profile.id)}>Its machine…</Button>
        )}
        {pane.session !== null && pane.trial === null && (
          <Button onPress={() => transcripts.openSession(pane.session?.id ?? '')}>Transcript</Button>
        )}
        <Button
          look={isActive ? 'primary' : 'plain'}
          isDisabled={!connected}
          onPress={() => {
            void sessions.openAgain(pane.id);
            sessions.focus(pane.id);
          }}
        >
          {pane.trial === null ? 'Open again' : 'Try again'}
          {isActive && <Keys keys={['Enter']} />}
        </Button>
        {pane.trial !== null && (
          <Button
            onPress={() => {
              workspace.closePane(pane.id);
              showProfile(pane.profile.id);
            }}
          >
            Back to the profile
          </Button>
        )}
        <Button onPress={() => workspace.closePane(pane.id)}>Close</Button>
      </div>
    </section>
  );
}

function ToneIcon({ tone }: { readonly tone: EndingWords['tone'] }) {
  if (tone === 'plain') return <CircleCheck size={16} aria-hidden="true" />;
  return tone === 'danger' ? (
    <CircleX size={16} aria-hidden="true" />
  ) : (
    <CircleAlert size={16} aria-hidden="true" />
  );
}

function wordsOf(state: PaneState, engine: EngineKind): EndingWords | null {
  switch (state.kind) {
    case 'ended':
    case 'needs-attention':
      return endingWords(state, engine);
    case 'failed':
      return { title: 'The session did not open.', details: [state.error.message], tone: 'danger' };
    case 'lost':
      return {
        title: 'Outcome unknown: the connection ended before the program reported.',
        details: [state.reason, 'The session ended with the connection.'],
        tone: 'danger',
      };
    default:
      return null;
  }
}
