import { Fragment } from 'react';
import { capitalised, type PostureFact } from './posture-words.ts';
import './facts.css';

/**
 * Facts as one sentence: "No network · project read-only · 1 GiB". Dangerous ones are in the colour of attention. A dot belongs to
 * the fact behind it, so that where whole facts are out of sight no dot is left over.
 */
export function Facts({ facts }: { readonly facts: readonly PostureFact[] }) {
  return facts.map((fact, index) => (
    <Fragment key={fact.id}>
      {index > 0 && ' '}
      <span className={`fact fact-${fact.tone}`}>
        {index > 0 && (
          <>
            <span className="visually-hidden">, </span>
            <span className="fact-dot" aria-hidden="true">
              {'· '}
            </span>
          </>
        )}
        {index === 0 ? capitalised(fact.text) : fact.text}
      </span>
    </Fragment>
  ));
}
