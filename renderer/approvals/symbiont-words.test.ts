import { expect, it } from 'vitest';
import { REACH, statusWords } from './symbiont-words.ts';

const following = (held: number, notOffered = 0) =>
  statusWords({ kind: 'following', version: '1.21.1', held, notOffered });

it('says how it goes with a runtime', () => {
  expect(following(0)).toEqual({ text: 'Following Symbiont 1.21.1: nothing is held.', tone: 'ok' });
  expect(following(1).text).toBe('Following Symbiont 1.21.1: 1 action is held.');
  expect(following(40, 8).text).toContain('40 actions are held. 8 of them cannot be asked here now.');
  expect(statusWords({ kind: 'failing', text: 'It is away.' })).toEqual({
    text: 'It is away. Nothing of it is offered; it is asked again.',
    tone: 'danger',
  });
});

it('only a runtime that is followed looks like one', () => {
  const others = [null, { kind: 'no-token' }, { kind: 'connecting' }, { kind: 'failing', text: '' }] as const;
  expect(others.map((status) => statusWords(status).tone)).not.toContain('ok');
});

it('A13 says what it does not reach', () => {
  for (const command of ['symbi up', 'symbi run', 'symbi shell']) expect(REACH).toContain(command);
});
