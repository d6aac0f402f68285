import type { PublicationCheck } from '../../shared/governed/verification.ts';
import type { Checking } from '../state/publications-store.ts';
import { formatMoment } from '../ui/format.ts';
import { VisibleText } from '../ui/VisibleText.tsx';

/** What a check found, and when: it says nothing of what happened since. */
export function CheckResult({ check }: { readonly check: Checking<PublicationCheck> | undefined }) {
  if (check === undefined || check.kind === 'checking') return null;
  if (check.kind === 'failed') {
    return (
      <p className="publication-check" data-check="failed" role="status">
        Could not be verified: {check.message}
      </p>
    );
  }
  const { check: found } = check;
  const at = formatMoment(found.checkedAt);
  if (found.state === 'ok') {
    return (
      <p className="publication-check" data-check="ok" role="status">
        Verified at {at}: receipt, log and file agree.
      </p>
    );
  }
  return (
    <div className="publication-check" data-check="broken" role="status">
      <p>Broken, as of {at}:</p>
      <ul>
        {found.problems.map((problem) => (
          <li key={problem}>
            <VisibleText text={problem} limit={1_000} />
          </li>
        ))}
      </ul>
    </div>
  );
}
