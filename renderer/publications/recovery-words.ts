import type { Publication } from '../../shared/governed/receipt.ts';

type Recovery = NonNullable<Extract<Publication, { state: 'failed' }>['recovery']>;

/** What the start after an interrupted publication found (F10), and whether the file can still be published. */
export function recoveryWords(recovery: Recovery): { readonly text: string; readonly retry: boolean } {
  switch (recovery) {
    case 'ready_to_publish':
      return { text: 'Airlock stopped before it was put in place. The sealed file is ready.', retry: true };
    case 'published':
      return {
        text: 'Airlock stopped after it was put in place: the file is there, its receipt is not.',
        retry: false,
      };
    case 'missing':
      return {
        text: 'Airlock stopped while it published, and the file is not at its destination now.',
        retry: true,
      };
    case 'conflict':
      return { text: 'Airlock stopped while it published, and something else is there now.', retry: true };
  }
}
