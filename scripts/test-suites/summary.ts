import type { SuiteResult } from './result.ts';

/**
 * The lines that end a run: a table of the suites, every test that failed, and the sum. The failures come last, so that
 * they are still there where only the end of the output is kept.
 */
export function summaryOf(results: readonly SuiteResult[]): string[] {
  const failures = results.flatMap(failuresOf);
  const count = (pick: (result: SuiteResult) => number) =>
    results.reduce((total, result) => total + pick(result), 0);
  const passed = count((result) => result.passed);
  const failed = count((result) => result.failed.length);
  const skipped = count((result) => result.skipped.length);
  return [
    ...results.flatMap(rowOf),
    '',
    ...(failures.length > 0 ? [...failures, ''] : []),
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ];
}

function rowOf({ name, passed, failed, skipped, seconds }: SuiteResult): string[] {
  const counts = `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`;
  return [
    `${name.padEnd(20)} ${counts} (${seconds.toFixed(1)} s)`,
    ...skipped.map(({ title, reason }) => `  skipped: ${title}: ${reason}`),
  ];
}

function failuresOf({ name, failed }: SuiteResult): string[] {
  return failed.flatMap(({ file, title, error }) => [
    `FAILED ${name}${file === '' ? '' : `: ${file}`}: ${title}`,
    `       ${error}`,
  ]);
}
