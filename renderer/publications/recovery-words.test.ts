import { expect, it } from 'vitest';
import { recoveryWords } from './recovery-words.ts';

it('F10: what is published, or gone, is not offered again', () => {
  const states = ['ready_to_publish', 'published', 'missing', 'conflict'] as const;
  expect(states.map((state) => recoveryWords(state).retry)).toEqual([true, false, false, true]);
});
