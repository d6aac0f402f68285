import type { ManifestProblem } from '../../shared/governed/manifest.ts';
import { VisibleText } from '../ui/VisibleText.tsx';
import { findingsTitle, problemPlace } from './manifest-words.ts';

/** What is wrong, or suspicious, in manifests: closed at first, one line for each with its place and its key. */
export function ManifestFindings({
  kind,
  findings,
}: {
  /** Files with problems cannot be used; those with warnings can. */
  readonly kind: 'problems' | 'warnings';
  readonly findings: readonly ManifestProblem[];
}) {
  if (findings.length === 0) return null;
  return (
    <details className="picker-findings" data-findings={kind}>
      <summary>{findingsTitle(kind, findings)}</summary>
      <ul>
        {findings.map((finding) => (
          <li key={`${finding.file} ${finding.line} ${finding.key} ${finding.message}`} title={finding.file}>
            <code>
              <VisibleText text={problemPlace(finding)} limit={200} />
            </code>{' '}
            {finding.key !== '' && (
              <code>
                <VisibleText text={finding.key} limit={200} />
              </code>
            )}{' '}
            <VisibleText text={finding.message} limit={600} />
          </li>
        ))}
      </ul>
    </details>
  );
}
