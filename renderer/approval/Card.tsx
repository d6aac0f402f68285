import { useEffect, useMemo, useRef } from 'react';
import type { ApprovalPage, PageState, Shown } from './approval-page.ts';
import { Decide } from './Decide.tsx';
import { ExactText } from './ExactText.tsx';
import { codesIn, type Field, fieldsOf } from './fields.ts';
import { Outcome } from './Outcome.tsx';
import { TimeLeft } from './TimeLeft.tsx';
import type { Sight, SightWatcher } from './visibility.ts';

interface CardProps {
  readonly page: ApprovalPage;
  readonly state: PageState;
  readonly shown: Shown;
  readonly sight: Sight;
  readonly watcher: SightWatcher | null;
}

/** One request: what it is, everything that it is about, and the decision. */
export function Card({ page, state, shown, sight, watcher }: CardProps) {
  const fields = useMemo(() => fieldsOf(shown.source, shown.payload), [shown]);
  const codes = useMemo(() => codesIn(fields), [fields]);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    watcher?.watchEnd(end.current);
    return () => watcher?.watchEnd(null);
  }, [watcher]);
  return (
    <article
      className="card"
      data-state={state.settled?.outcome ?? state.arming.kind}
      data-request={shown.id}
    >
      <header className="card-head">
        <h1>{shown.source === 'symbiont' ? 'Let Symbiont do this?' : KINDS[shown.kind]}</h1>
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
      <section className="card-body" aria-label="Content of the request" tabIndex={0}>
        <dl>
          {fields.map((field, index) => {
            // Labels can be alike, when a request brings one of its own; the fields never move.
            const key = `${index}`;
            return <FieldRow key={key} field={field} />;
          })}
          <FieldRow
            field={{ label: 'Digest of this request', lines: [shown.digest], look: 'plain', known: true }}
          />
        </dl>
        <div ref={end} className="card-end" />
      </section>
      {state.settled === null ? (
        <Decide page={page} state={state} sight={sight} />
      ) : (
        <Outcome page={page} settled={state.settled} waiting={state.waiting} />
      )}
    </article>
  );
}

/** However deep something lies, it stays in view. */
const INDENT_MAX_CH = 16;

const KINDS = { command: 'Run this command?', publication: 'Publish this file?' } as const;

function FieldRow({ field }: { readonly field: Field }) {
  return (
    <div className="field" data-look={field.look} data-known={field.known}>
      <dt>{field.known ? field.label : <ExactText text={field.label} />}</dt>
      {field.lines.map((line, index) => {
        // Lines never move: the index is their identity.
        const key = `${index}`;
        if (field.look !== 'json')
          return (
            <dd key={key}>
              <ExactText text={line} />
            </dd>
          );
        const text = line.trimStart();
        const indent = Math.min(line.length - text.length, INDENT_MAX_CH);
        return (
          <dd key={key} style={{ paddingInlineStart: `calc(8px + ${indent}ch)` }}>
            <ExactText text={text} />
          </dd>
        );
      })}
    </div>
  );
}
