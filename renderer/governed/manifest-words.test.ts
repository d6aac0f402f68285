import { expect, it } from 'vitest';
import { problemPlace } from './manifest-words.ts';

it('M1: a problem names its file and line', () => {
  const problem = {
    file: '/home/u/tools/report.clad.toml',
    line: 12,
    key: 'tool.name',
    message: 'is missing',
  };
  expect(problemPlace(problem)).toBe('report.clad.toml:12');
  expect(problemPlace({ ...problem, line: null })).toBe('report.clad.toml');
});
