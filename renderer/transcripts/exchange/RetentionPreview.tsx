import { type Settings, sandboxProfiles } from '../../../shared/settings/schema.ts';
import type { RetentionPreview as Preview } from '../../../shared/transcripts/transcript.ts';
import { useServices } from '../../app/services.ts';
import { useConnection } from '../../state/connection-store.ts';
import { useSettings } from '../../state/settings-store.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmRow } from '../../ui/ConfirmRow.tsx';
import { counted, formatBytes } from '../../ui/format.ts';
import { useStateOf } from '../../ui/use-state-of.ts';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { whenWords } from '../transcript-words.ts';
import './retention.css';

/** Transcripts that the list shows; the count and the size are of all. */
const SHOWN_MAX = 500;

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'looking' }
  | { readonly kind: 'seen'; readonly preview: Preview }
  | { readonly kind: 'deleting'; readonly preview: Preview }
  | { readonly kind: 'said'; readonly words: string; readonly failed: boolean };

const NONE: State = { kind: 'none' };

/** What the rules above would delete now, and the one way to have it deleted. Other rules have another preview. */
export function RetentionPreview() {
  const { transcripts } = useServices();
  const rules = useSettings(({ settings }) => JSON.stringify(rulesOf(settings)));
  const connected = useConnection(({ connection }) => connection.kind === 'connected');
  const [state, setState] = useStateOf(rules, NONE);
  const look = async () => {
    setState({ kind: 'looking' });
    const answer = await transcripts.retention();
    if (!answer.ok) setState({ kind: 'said', words: answer.error.message, failed: true });
    else if (answer.value.goes.length === 0)
      setState({ kind: 'said', words: 'Nothing would go now.', failed: false });
    else setState({ kind: 'seen', preview: answer.value });
  };
  const remove = async (preview: Preview) => {
    setState({ kind: 'deleting', preview });
    const why = await transcripts.remove(preview.goes.map(({ id }) => id));
    const words = why ?? `Deleted ${counted(preview.goes.length, 'transcript')}.`;
    setState({ kind: 'said', words, failed: why !== null });
  };
  const preview = state.kind === 'seen' || state.kind === 'deleting' ? state.preview : null;
  return (
    <section className="retention" aria-label="What these rules delete">
      <div className="section-header">
        <p className="section-text">
          Nothing goes by itself. Look at what these rules would delete, then delete it. The log records that;
          receipts and decisions stay.
        </p>
        <Button
          isDisabled={!connected || state.kind === 'deleting'}
          isPending={state.kind === 'looking'}
          onPress={() => void look()}
        >
          {state.kind === 'looking' ? 'Looking…' : 'What would go now'}
        </Button>
      </div>
      {state.kind === 'said' && (
        <p className={state.failed ? 'retention-failed' : 'section-text'} role="status">
          {state.words}
        </p>
      )}
      {preview !== null && (
        <>
          <GoesList preview={preview} />
          <ConfirmRow
            question={`${formatBytes(preview.bytes)} would be freed. What is deleted cannot be brought back.`}
            yes={
              state.kind === 'deleting' ? 'Deleting…' : `Delete ${counted(preview.goes.length, 'transcript')}`
            }
            no="Keep them"
            isBusy={state.kind === 'deleting'}
            onYes={() => void remove(preview)}
            onNo={() => setState(NONE)}
          />
        </>
      )}
    </section>
  );
}

function rulesOf({ transcripts, profiles }: Settings) {
  return [
    transcripts,
    sandboxProfiles({ profiles }).map(({ id, keepDays, keepMiB }) => [id, keepDays, keepMiB]),
  ];
}

function GoesList({ preview }: { readonly preview: Preview }) {
  const rest = preview.goes.length - SHOWN_MAX;
  return (
    <>
      {/* It scrolls by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <ul className="retention-list" aria-label="Transcripts that would go" tabIndex={0}>
        {preview.goes.slice(0, SHOWN_MAX).map(({ id, title, startedAt, bytes, why }) => (
          <li key={id} className="retention-row">
            <span className="retention-title">
              <VisibleText text={title} limit={120} />
            </span>
            <span>{whenWords(startedAt)}</span>
            <span>{formatBytes(bytes)}</span>
            <span className="retention-why">{why}</span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="section-text">and {counted(rest, 'more transcript')}</p>}
    </>
  );
}
