import { expect, it } from 'vitest';
import { findingsTitle, problemPlace } from './manifest-words.ts';

const problem = {
  file: '/home/u/tools/report.clad.toml',
  line: 12,
  key: 'tool.name',
  message: 'is missing',
};

it('M1: a problem names its file and line', () => {
  expect(problemPlace(problem)).toBe('report.clad.toml:12');
  expect(problemPlace({ ...problem, line: null })).toBe('report.clad.toml');
});

it('says of how many files there are findings, and whether they can be used', () => {
  const two = [problem, { ...problem, line: 13 }];
  const other = { ...problem, file: '/home/u/tools/other.clad.toml' };
  expect(findingsTitle('problems', two)).toBe('1 file cannot be used');
  expect(findingsTitle('warnings', [problem])).toBe('1 warning in 1 manifest, which can be used');
  expect(findingsTitle('warnings', [...two, other])).toBe('3 warnings in 2 manifests, which can be used');
});
