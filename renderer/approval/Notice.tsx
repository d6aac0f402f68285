import type { PageState } from './approval-page.ts';

/** What the page says when no request is shown. */
export function Notice({ state }: { readonly state: PageState }) {
  const { title, text } = wordsFor(state);
  return (
    <div className="notice" role="status">
      <h1>{title}</h1>
      {text !== null && <p>{text}</p>}
    </div>
  );
}

function wordsFor({ phase, words, waiting }: PageState): { title: string; text: string | null } {
  switch (phase) {
    case 'entering':
      return { title: 'Connecting to the host…', text: null };
    case 'out':
      return { title: 'Open Airlock from its terminal', text: words };
    case 'unreachable':
      return { title: 'The host does not answer', text: words };
    case 'in':
      if (waiting.length > 0) return { title: 'Opening the request…', text: null };
      return { title: 'Nothing waits for a decision', text: 'A request that comes is shown here.' };
  }
}
