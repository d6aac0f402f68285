import { type KeyboardEvent, useRef } from 'react';
import { useServices } from '../app/services.ts';
import { useConnection } from '../state/connection-store.ts';
import { isLive, paneOf } from '../state/panes-store.ts';
import type { PaneId } from './layout-tree.ts';

/** Milliseconds after which an Enter does not belong to the text typed before it. */
const OWN_ENTER_MS = 1_000;

/**
 * Enter in a terminal whose session is over opens another. Not the Enter that ends a line: what is typed after the end
 * goes nowhere, and the next line must not reach a shell that nobody looked at.
 */
export function useOpenAgainByEnter(id: PaneId): (event: KeyboardEvent) => void {
  const { sessions } = useServices();
  const typedAt = useRef(Number.NEGATIVE_INFINITY);
  return (event) => {
    const { key, nativeEvent, repeat, target, timeStamp } = event;
    if (key.length === 1 || nativeEvent.isComposing) typedAt.current = timeStamp;
    if (key !== 'Enter' || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (!(target instanceof Element) || target.closest('.terminal-host') === null) return;
    const pane = paneOf(id);
    if (pane === null || isLive(pane) || repeat || timeStamp - typedAt.current < OWN_ENTER_MS) return;
    event.preventDefault();
    event.stopPropagation();
    if (useConnection.getState().connection.kind === 'connected') void sessions.openAgain(id);
  };
}
