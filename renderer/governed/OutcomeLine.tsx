import { CircleCheck, CircleX, Info } from 'lucide-react';
import type { CommandOutcome } from '../state/governed-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { VisibleText } from '../ui/VisibleText.tsx';
import { type OutcomeWords, outcomeWords } from './governed-words.ts';
import './outcome-line.css';

/** What came of the last command; stays until the next one, also when the session has ended with it. */
export function OutcomeLine({ outcome }: { readonly outcome: CommandOutcome | null }) {
  if (outcome === null) return null;
  const words = outcomeWords(outcome);
  const published = outcome.kind === 'answered' && outcome.reply.created_files.length > 0;
  return (
    <div className={`outcome-line outcome-${words.tone}`} data-outcome={outcome.kind}>
      <ToneIcon tone={words.tone} />
      <p className="outcome-words">
        <strong className="outcome-title">
          <VisibleText text={words.title} limit={400} />
        </strong>
        {words.rule !== null && <span className="outcome-rule">{words.rule}</span>}
        {words.detail !== null && (
          <span className="outcome-detail">
            <VisibleText text={words.detail} limit={2_000} />
          </span>
        )}
        {words.next !== null && <span className="outcome-next">{words.next}</span>}
      </p>
      {published && (
        <button
          type="button"
          className="link"
          onClick={() => useWorkspace.setState({ place: 'publications' })}
        >
          Show receipt
        </button>
      )}
    </div>
  );
}

function ToneIcon({ tone }: { readonly tone: OutcomeWords['tone'] }) {
  if (tone === 'ok') return <CircleCheck className="outcome-icon" size={15} aria-hidden="true" />;
  return tone === 'danger' ? (
    <CircleX className="outcome-icon" size={15} aria-hidden="true" />
  ) : (
    <Info className="outcome-icon" size={15} aria-hidden="true" />
  );
}
