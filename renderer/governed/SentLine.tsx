import type { CommandBarState } from '../state/governed-store.ts';
import { VisibleText } from '../ui/VisibleText.tsx';

interface SentLineProps {
  readonly id: string;
  readonly bar: CommandBarState;
  /** Why no command is taken any more; null while one is. */
  readonly closed: string | null;
  readonly pattern: string;
}

/** The exact line that will be sent, nothing in it hidden, or why none will be. */
export function SentLine({ id, bar, closed, pattern }: SentLineProps) {
  const { check, touched } = bar;
  if (closed !== null) {
    return (
      <p id={id} className="command-sent" data-problem>
        {closed}
      </p>
    );
  }
  if (check?.line != null) {
    return (
      <p id={id} className="command-sent">
        <span className="command-sent-label">Sends</span> <VisibleText text={check.line} limit={2_000} />
        <span className="command-sent-end" title="End of line" aria-hidden="true">
          ↵
        </span>
      </p>
    );
  }
  const problem = check?.problems.find(({ field }) => !Object.hasOwn(bar.draft.args, field));
  if (touched && problem !== undefined) {
    return (
      <p id={id} className="command-sent" data-problem>
        <VisibleText text={problem.message} limit={2_000} />
        <span className="command-sent-pattern">
          Must match <VisibleText text={pattern} limit={400} />
        </span>
      </p>
    );
  }
  return (
    <p id={id} className="command-sent">
      <span className="command-sent-label">Must match</span> <VisibleText text={pattern} limit={400} />
    </p>
  );
}
