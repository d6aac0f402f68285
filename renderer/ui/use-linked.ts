import { type RefCallback, useCallback } from 'react';
import { useWorkspace } from '../state/workspace-store.ts';

interface Linked {
  readonly ref: RefCallback<HTMLElement>;
  readonly tabIndex: -1;
  readonly 'data-linked'?: true;
}

/** For the row that stands for `id`: when a link led here, it is scrolled to, gets the focus and is marked. */
export function useLinked(id: string): Linked {
  const isLinked = useWorkspace((state) => state.linked === id);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!isLinked || element === null) return;
      element.scrollIntoView({ block: 'center' });
      element.focus({ preventScroll: true });
      // The mark is gone when a person has looked elsewhere.
      return () => {
        useWorkspace.setState(({ linked }) => (linked === id ? { linked: null } : {}));
      };
    },
    [isLinked, id],
  );
  return { ref, tabIndex: -1, ...(isLinked && { 'data-linked': true as const }) };
}
