import type { ManifestProblem } from '../../shared/governed/manifest.ts';
import { counted } from '../ui/format.ts';
import { VisibleText } from '../ui/VisibleText.tsx';
import { problemPlace } from './manifest-words.ts';

/** Files that cannot be used, each with its place and what is wrong. */
export function ManifestProblems({ problems }: { readonly problems: readonly ManifestProblem[] }) {
  if (problems.length === 0) return null;
  const files = new Set(problems.map(({ file }) => file)).size;
  return (
    <details className="picker-problems">
      <summary>{counted(files, 'file')} cannot be used</summary>
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.file} ${problem.line} ${problem.key} ${problem.message}`} title={problem.file}>
            <code>
              <VisibleText text={problemPlace(problem)} limit={200} />
            </code>{' '}
            {problem.key !== '' && (
              <code>
                <VisibleText text={problem.key} limit={200} />
              </code>
            )}{' '}
            <VisibleText text={problem.message} limit={600} />
          </li>
        ))}
      </ul>
    </details>
  );
}
