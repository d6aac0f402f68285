import type { SettledRequest, WaitingRequest } from '../../shared/governed/approval-page.ts';
import type { ApprovalPage } from './approval-page.ts';
import { ExactText } from './ExactText.tsx';

interface OutcomeProps {
  readonly page: ApprovalPage;
  readonly settled: SettledRequest;
  readonly waiting: readonly WaitingRequest[];
}

const WORDS = {
  approved: 'Approved once',
  denied: 'Denied',
  expired: 'Expired: nobody decided in time',
  cancelled: 'Without effect: there is nothing to decide any more',
  unknown: 'Outcome unknown: it may or may not have taken effect',
} as const;

/** What became of the request that is shown. */
export function Outcome({ page, settled, waiting }: OutcomeProps) {
  const next = waiting.find(({ id }) => id !== settled.id);
  return (
    <footer className="card-foot" data-outcome={settled.outcome}>
      <p className="outcome" role="status">
        {WORDS[settled.outcome]}
      </p>
      {settled.reason !== null && (
        <p className="outcome-reason">
          <ExactText text={settled.reason} />
        </p>
      )}
      {next !== undefined && (
        <button type="button" className="plain-button" onClick={() => page.show(next.id)}>
          Show the next request
        </button>
      )}
    </footer>
  );
}
