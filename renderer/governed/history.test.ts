import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EMPTY_HISTORY, type History, newer, older, remember } from './history.ts';

const request = (text: string) => ({ command: 'add', text, args: {} });
const filled = ['one', 'two', 'three'].map(request).reduce(remember, EMPTY_HISTORY);

function walk(history: History, steps: string, current: string) {
  let at = history;
  let shown = request(current);
  for (const step of steps) {
    const next = step === '↑' ? older(at, shown) : newer(at);
    if (next !== null) ({ history: at, request: shown } = next);
  }
  return shown.text;
}

it.each([
  ['', 'draft'],
  ['↑', 'three'],
  ['↑↑', 'two'],
  ['↑↑↑↑↑', 'one'],
  ['↑↑↓', 'three'],
  ['↑↑↓↓', 'draft'],
  ['↓', 'draft'],
  ['↑↓↓↓↑', 'three'],
])('%s shows %s', (steps, text) => expect(walk(filled, steps, 'draft')).toBe(text));

it('the same command twice in a row is one entry; other arguments are another command', () => {
  const twice = remember(filled, request('three'));
  expect(twice.entries).toEqual(filled.entries);
  expect(remember(filled, { ...request('three'), args: { ticket: 'A-1' } }).entries).toHaveLength(4);
});

it('as many steps forward as back come back to the draft', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 20 }), fc.nat(30), (texts, steps) => {
      const history = texts.map(request).reduce(remember, EMPTY_HISTORY);
      expect(walk(history, '↑'.repeat(steps) + '↓'.repeat(steps), 'the draft')).toBe('the draft');
    }),
  );
});

it('keeps a bounded number', () => {
  const many = Array.from({ length: 1_000 }, (_, n) => request(`${n}`)).reduce(remember, EMPTY_HISTORY);
  expect(many.entries).toHaveLength(200);
  expect(many.entries.at(-1)?.text).toBe('999');
});
