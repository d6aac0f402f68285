import { expect, it } from 'vitest';
import { fuzzyScore } from './fuzzy.ts';

function best(query: string, ...texts: string[]): string[] {
  return texts
    .map((text) => ({ text, score: fuzzyScore(query, text) }))
    .filter((entry) => entry.score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .map((entry) => entry.text);
}

it('prefers starts of words and runs', () => {
  expect(best('sr', 'Search scrollback', 'Split right')[0]).toBe('Split right');
  expect(best('find', 'Focus pane in direction', 'Find')[0]).toBe('Find');
  expect(best('new tab', 'New tab with profile…', 'New tab')[0]).toBe('New tab');
});

it('keeps the order of what fits equally well, however long it is', () => {
  expect(best('split', 'Split right', 'Split down')).toEqual(['Split right', 'Split down']);
});

it('finds letters in order only', () => {
  expect(best('xyz', 'Split right')).toEqual([]);
  expect(best('tabnew', 'New tab')).toEqual([]);
  expect(best('', 'a', 'bb')).toEqual(['a', 'bb']);
});

it('does not lose a match by preferring the start of a later word', () => {
  expect(fuzzyScore('st', 'Paste x: s')).not.toBeNull();
});
