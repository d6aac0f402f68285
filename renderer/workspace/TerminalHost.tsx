import { useLayoutEffect, useRef } from 'react';
import { useServices } from '../app/services.ts';
import type { PaneId } from './layout.ts';

/** The place of a pane's terminal. React knows only the empty element: the terminal in it is moved, never drawn anew. */
export function TerminalHost({ pane }: { readonly pane: PaneId }) {
  const { sessions } = useServices();
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const view = sessions.views.get(pane);
    if (place.current !== null) view?.attach(place.current);
    return () => view?.element.remove();
  }, [sessions, pane]);
  return <div className="terminal-place" ref={place} />;
}
