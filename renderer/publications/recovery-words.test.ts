import { expect, it } from 'vitest';
import { recoveryWords } from './recovery-words.ts';

it('F10: only what is published is not offered again: of everything else the sealed file is kept', () => {
  const states = ['ready_to_publish', 'published', 'missing', 'conflict'] as const;
  expect(states.map((state) => recoveryWords(state).retry)).toEqual([true, false, true, true]);
  // Why it was interrupted is the reason's to say.
  for (const state of states) expect(recoveryWords(state).text).not.toContain('Airlock stopped');
});
