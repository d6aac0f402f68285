import { join, relative } from 'node:path';
import { ROOT } from '../root.ts';
import { type FailedTest, firstLine, type SuiteResult, withRunner } from './result.ts';
import { readReport, removeReport, run, secondsSince } from './run.ts';

/** What is read of the report of Vitest's reporter "json". */
export interface VitestReport {
  readonly testResults: readonly {
    /** Absolute path of the file. */
    readonly name: string;
    readonly status: string;
    /** Why the file failed to load; empty where a hook failed. */
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** Runs one project of vitest.config.ts. A file that failed as a whole counts as one failure. */
export async function runVitest(project: 'unit' | 'integration' | 'engines'): Promise<SuiteResult> {
  const start = performance.now();
  const path = join(ROOT, 'test-results', `${project}.json`);
  await removeReport(path);
  console.log(`\n— ${project}`);
  const args = [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path}`,
  ];
  const code = await run('vitest', args);
  const report = (await readReport<VitestReport>(path)) ?? { testResults: [] };
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  return {
    name: project,
    passed: tests.filter((test) => test.status === 'passed').length,
    failed: withRunner(failedInVitest(report), 'vitest', code),
    skipped: tests
      .filter((test) => !['passed', 'failed'].includes(test.status))
      .map((test) => ({ title: titleOf(test), reason: `marked ${test.status} in its file` })),
    seconds: secondsSince(start),
  };
}

export function failedInVitest(report: VitestReport): FailedTest[] {
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(ROOT, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // It does not load, or what its tests share could not be made.
    if (status === 'failed' && failed.length === 0)
      return [{ file, title: 'the file as a whole', error: firstLine(message) }];
    return failed.map((test) => ({
      file,
      title: titleOf(test),
      error: firstLine(test.failureMessages?.[0]),
    }));
  });
}

function titleOf({ ancestorTitles, title }: { ancestorTitles: readonly string[]; title: string }): string {
  return [...ancestorTitles, title].join(' › ');
}
