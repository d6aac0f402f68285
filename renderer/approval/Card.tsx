import { useEffect, useMemo, useRef } from 'react';
import { codeCount, exactParts } from '../../shared/terminal/exact-text.ts';
import type { ApprovalPage, PageState, Shown } from './approval-page.ts';
import { Decide } from './Decide.tsx';
import { ExactText } from './ExactText.tsx';
import { type Field, fieldsOf } from './fields.ts';
import { Outcome } from './Outcome.tsx';
import { TimeLeft } from './TimeLeft.tsx';
import type { Sight } from './visibility.ts';

interface CardProps {
  readonly page: ApprovalPage;
  readonly state: PageState;
  readonly shown: Shown;
  readonly sight: Sight;
}

/** Pixels by which the end may be missed, because positions are rounded; and the least height in which one can read. */
const END_SLACK = 2;
const READABLE = 60;

/** One request: what it is, everything that it is about, and the decision. */
export function Card({ page, state, shown, sight }: CardProps) {
  const fields = useMemo(() => fieldsOf(shown.source, shown.payload), [shown]);
  const codes = useMemo(() => countCodes(fields), [fields]);
  const body = useReadToEnd(page, sight);
  return (
    <article
      className="card"
      data-state={state.settled?.outcome ?? state.arming.kind}
      data-request={shown.id}
    >
      <header className="card-head">
        <h1>{KINDS[shown.kind]}</h1>
        {state.settled === null && <TimeLeft endsAt={shown.endsAt} />}
        <p className="card-title">{shown.source === 'symbiont' ? `Symbiont: ${shown.title}` : shown.title}</p>
      </header>
      {codes > 0 && (
        <p className="card-warning" role="note">
          {codes === 1 ? '1 character' : `${codes} characters`} would not show, or not as what they are: drawn
          as codes below.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section ref={body} className="card-body" aria-label="Content of the request" tabIndex={0}>
        <dl>
          {fields.map((field) => (
            <FieldRow key={field.label} field={field} />
          ))}
          <FieldRow field={{ label: 'Digest of this request', lines: [shown.digest], look: 'plain' }} />
        </dl>
      </section>
      {state.settled === null ? (
        <Decide page={page} state={state} sight={sight} />
      ) : (
        <Outcome page={page} settled={state.settled} waiting={state.waiting} />
      )}
    </article>
  );
}

const KINDS = { command: 'Run this command?', publication: 'Publish this file?' } as const;

function FieldRow({ field }: { readonly field: Field }) {
  return (
    <div className="field" data-look={field.look}>
      <dt>
        <ExactText text={field.label} />
      </dt>
      {field.lines.map((line, index) => {
        // Lines never move: the index is their identity.
        const key = `${index}`;
        return (
          <dd key={key}>
            <ExactText text={line} />
          </dd>
        );
      })}
    </div>
  );
}

function countCodes(fields: readonly Field[]): number {
  return fields
    .flatMap(({ label, lines }) => [label, ...lines])
    .reduce((sum, text) => sum + codeCount(exactParts(text)), 0);
}

/**
 * Tells the page when the end of the content has been in view. It counts only while the card is truly visible: a frame
 * that was made tall out of sight has shown nobody its end.
 */
function useReadToEnd(page: ApprovalPage, sight: Sight) {
  const body = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = body.current;
    if (element === null || sight !== 'visible') return;
    const look = () => {
      const below = element.scrollHeight - element.clientHeight - element.scrollTop;
      if (element.clientHeight >= READABLE && below <= END_SLACK) page.setRead();
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener('scroll', look);
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [page, sight]);
  return body;
}
