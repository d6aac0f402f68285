import { expect, it } from 'vitest';
import { Refresh } from './refresh.ts';

it('asks once more for everything that was asked while an answer was on its way', async () => {
  const answers: (() => void)[] = [];
  const refresh = new Refresh(() => new Promise((resolve) => answers.push(resolve)));
  const all = Promise.all([refresh.ask(), refresh.ask(), refresh.ask()]);
  expect(answers).toHaveLength(1);
  answers[0]?.();
  await Promise.resolve();
  expect(answers).toHaveLength(2);
  answers[1]?.();
  await all;
  expect(answers).toHaveLength(2);
  void refresh.ask();
  expect(answers).toHaveLength(3);
});
