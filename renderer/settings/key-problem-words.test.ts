import { expect, it } from 'vitest';
import type { KeyProblem } from '../commands/key-map.ts';
import { problemsOf, problemWords, rowProblemWords } from './key-problem-words.ts';

const conflict: KeyProblem = {
  kind: 'conflict',
  chord: 'Ctrl+Shift+F',
  commands: ['tab.next', 'find.open'],
  winner: 'tab.next',
};

it('says who has the same key and what it runs', () => {
  expect(problemWords(conflict)).toBe(
    '“Next tab” and “Find” have the same key, Ctrl+Shift+F. It runs “Next tab”.',
  );
  expect(rowProblemWords(conflict, 'tab.next')).toBe('Also the key of “Find”.');
  expect(rowProblemWords(conflict, 'find.open')).toBe('This key runs “Next tab” instead.');
});

it('finds the problems of one command', () => {
  const unknown: KeyProblem = { kind: 'unknown-command', command: 'gone' };
  expect(problemsOf('find.open', [conflict, unknown])).toEqual([conflict]);
  expect(problemsOf('tab.new', [conflict, unknown])).toEqual([]);
  expect(problemWords(unknown)).toMatch(/There is no command “gone”/);
});
