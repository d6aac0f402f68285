import type { Publication } from '../../shared/governed/receipt.ts';

type Recovery = NonNullable<Extract<Publication, { state: 'failed' }>['recovery']>;

/** What was found after an interrupted publication (F10), beside its reason, and whether the file can still be published. */
export function recoveryWords(recovery: Recovery): { readonly text: string; readonly retry: boolean } {
  switch (recovery) {
    case 'ready_to_publish':
      return { text: 'It was not put in place. The sealed file is ready.', retry: true };
    case 'published':
      return {
        text: 'It was put in place: the file is there, its receipt is not.',
        retry: false,
      };
    case 'missing':
      return {
        text: 'It is not at its destination now.',
        retry: true,
      };
    case 'conflict':
      return { text: 'Something else is at its destination now.', retry: true };
  }
}
