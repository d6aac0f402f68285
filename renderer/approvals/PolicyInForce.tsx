import { useState } from 'react';
import type { PoliciesShown } from '../../shared/governed/verification.ts';
import { useServices } from '../app/services.ts';
import { CopyLine } from '../ui/CopyLine.tsx';

/** The policy that decides before a person is asked. Read when it is opened: it may change at any time. */
export function PolicyInForce() {
  const { client } = useServices();
  const [shown, setShown] = useState<PoliciesShown | string | null>(null);
  const load = async () => {
    const answer = await client.request('policies.show', {});
    setShown(answer.ok ? answer.value : answer.error.message);
  };
  return (
    <details className="policy" onToggle={(event) => event.currentTarget.open && void load()}>
      <summary>Policy in force</summary>
      {shown === null && <p className="place-empty">Reading it…</p>}
      {typeof shown === 'string' && <p className="place-empty">{shown}</p>}
      {shown !== null && typeof shown !== 'string' && <Policies policies={shown} />}
    </details>
  );
}

function Policies({ policies }: { readonly policies: PoliciesShown }) {
  const { source, text, folder, problems } = policies;
  return (
    <div className="policy-body">
      <p className="section-text">
        {source === 'built-in'
          ? 'Built in: commands run unless they need approval; those ask. A .cedar file in this folder replaces it:'
          : 'Yours, from this folder:'}
      </p>
      <CopyLine text={folder} />
      {problems.map((problem) => (
        <p key={problem} className="policy-problem" role="alert">
          {problem}
        </p>
      ))}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre className="policy-text" tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}
