import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../root.ts';
import { failedInPlaywright } from './playwright.ts';
import { firstLine, skipped, withRunner } from './result.ts';
import { summaryOf } from './summary.ts';
import { failedInVitest } from './vitest.ts';

const FAILURE = {
  file: 'electron/x.test.ts',
  title: 'a shell › opens',
  error: 'AssertionError: expected 1 to be 2',
};

describe('the end of a run', () => {
  it('is the table, every failed test, and the sum', () => {
    const results = [
      { name: 'unit', passed: 3, failed: [FAILURE], skipped: [], seconds: 1.04 },
      skipped('e2e:electron', 'no display'),
    ];
    expect(summaryOf(results)).toEqual([
      'unit                 3 passed, 1 failed, 0 skipped (1.0 s)',
      'e2e:electron         0 passed, 0 failed, 1 skipped (0.0 s)',
      '  skipped: e2e:electron: no display',
      '',
      'FAILED unit: electron/x.test.ts: a shell › opens',
      '       AssertionError: expected 1 to be 2',
      '',
      '3 passed, 1 failed, 1 skipped',
    ]);
  });

  it('is the table and the sum where nothing failed', () => {
    const lines = summaryOf([{ name: 'unit', passed: 3, failed: [], skipped: [], seconds: 1 }]);
    expect(lines.slice(1)).toEqual(['', '3 passed, 0 failed, 0 skipped']);
  });
});

describe('the failed tests', () => {
  it('of Vitest have their file, their groups and the first line of their error; a file that fails as a whole is one', () => {
    const passed = { ancestorTitles: [], title: 'closes', status: 'passed', failureMessages: [] };
    const failed = {
      ancestorTitles: ['a shell'],
      title: 'opens',
      status: 'failed',
      failureMessages: ['\u001b[31mAssertionError\u001b[0m: expected 1 to be 2\n    at x.test.ts:1:1'],
    };
    const testResults = [
      { name: join(ROOT, FAILURE.file), status: 'failed', message: '', assertionResults: [passed, failed] },
      { name: join(ROOT, 'y.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
      // A hook before them failed.
      {
        name: join(ROOT, 'z.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [{ ...passed, status: 'skipped' }],
      },
    ];
    expect(failedInVitest({ testResults })).toEqual([
      FAILURE,
      { file: 'y.test.ts', title: 'the file as a whole', error: 'no such module' },
      { file: 'z.test.ts', title: 'the file as a whole', error: 'no reason given' },
    ]);
  });

  it('of Playwright have theirs too, and a pass on a second try counts', () => {
    const spec = (title: string, status: string, message?: string) => ({
      title,
      tests: [{ status, annotations: [], results: message === undefined ? [] : [{ errors: [{ message }] }] }],
    });
    const report = {
      stats: { expected: 1 },
      errors: [{ message: 'no project', location: { file: join(ROOT, 'playwright.config.ts'), line: 4 } }],
      suites: [
        {
          title: 'paste.spec.ts',
          specs: [spec('whole', 'expected')],
          suites: [
            { title: 'tildes', specs: [spec('first', 'unexpected', '\nlate\nat'), spec('second', 'flaky')] },
          ],
        },
      ],
    };
    expect(failedInPlaywright(report)).toEqual([
      { file: 'playwright.config.ts:4', title: 'outside of a test', error: 'no project' },
      { file: 'e2e/paste.spec.ts', title: 'tildes › first', error: 'late' },
      { file: 'e2e/paste.spec.ts', title: 'tildes › second', error: 'no reason given' },
    ]);
  });

  it('include the runner where it failed and names none', () => {
    expect(withRunner([FAILURE], 'vitest', 1)).toEqual([FAILURE]);
    expect(withRunner([], 'vitest', 0)).toEqual([]);
    expect(withRunner([], 'vitest', 1)).toMatchObject([
      { title: 'vitest', error: expect.stringContaining('1') },
    ]);
  });
});

it('the first line of an error is the first that says something', () => {
  expect(firstLine('\n  \u001b[31mred\u001b[0m words \nmore')).toBe('red words');
  expect(firstLine(undefined)).toBe('no reason given');
});
