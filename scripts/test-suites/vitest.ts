import { join } from 'node:path';
import { ROOT } from '../root.ts';
import type { SuiteResult } from './result.ts';
import { readReport, removeReport, run, secondsSince } from './run.ts';

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Runs one project of vitest.config.ts. A file that failed to load counts as one failure. */
export async function runVitest(project: 'unit' | 'integration'): Promise<SuiteResult> {
  const start = performance.now();
  const report = join(ROOT, 'test-results', `${project}.json`);
  await removeReport(report);
  console.log(`\n— ${project}`);
  const args = [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const code = await run('vitest', args);
  const files = (await readReport<VitestReport>(report))?.testResults ?? [];
  const tests = files.flatMap((file) => file.assertionResults);
  const count = (...statuses: string[]) => tests.filter((test) => statuses.includes(test.status)).length;
  const broken = files.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = count('failed') + broken;
  return {
    name: project,
    passed: count('passed'),
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: tests
      .filter((test) => !['passed', 'failed'].includes(test.status))
      .map((test) => ({ title: test.fullName, reason: `marked ${test.status} in its file` })),
    seconds: secondsSince(start),
  };
}
