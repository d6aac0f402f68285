import { expect, it } from 'vitest';
import { findWords } from './find.ts';

const find = {
  text: 'x',
  caseSensitive: false,
  wholeWord: false,
  regex: false,
  index: 1,
  count: 7,
  asked: 1,
};

it('says what was found', () => {
  expect(findWords(find)).toBe('2 of 7');
  expect(findWords({ ...find, index: -1, count: 1000 })).toBe('1000 or more');
  expect(findWords({ ...find, index: -1, count: 0 })).toBe('no matches');
  expect(findWords({ ...find, text: '' })).toBe('');
});

it('says when a pattern is none', () => {
  expect(findWords({ ...find, text: '(', regex: true, count: 0 })).toBe('not a pattern');
  expect(findWords({ ...find, text: '(', regex: false })).toBe('2 of 7');
});
