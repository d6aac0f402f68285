import type { SymbiontStatus } from '../../shared/governed/symbiont.ts';
import { VisibleText } from '../ui/VisibleText.tsx';
import { statusWords } from './symbiont-words.ts';
import './symbiont-status-line.css';

/** How it goes with a runtime, in one line of words. */
export function SymbiontStatusLine({ status }: { readonly status: SymbiontStatus | null }) {
  const { text, tone } = statusWords(status);
  return (
    <p className="symbiont-status" data-tone={tone} data-symbiont-status={status?.kind} role="status">
      <span className="symbiont-dot" aria-hidden="true" />
      <VisibleText text={text} limit={600} />
    </p>
  );
}
