import { useLayoutEffect, useRef } from 'react';
import { useServices } from '../app/services.ts';
import type { PaneId } from './layout-tree.ts';

/** The place of a pane's terminal. React knows only the empty element: the terminal in it is moved, never drawn anew. */
export function TerminalHost({ pane }: { readonly pane: PaneId }) {
  const { sessions } = useServices();
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (place.current !== null) sessions.views.attach(pane, place.current);
    return () => sessions.views.get(pane)?.element.remove();
  }, [sessions, pane]);
  return <div className="terminal-place" ref={place} />;
}
