import { join } from 'node:path';
import { ROOT } from '../root.ts';
import type { SuiteResult } from './result.ts';
import { readReport, removeReport, run, secondsSince } from './run.ts';

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly status: string;
      readonly annotations: readonly { readonly type: string; readonly description?: string }[];
    }[];
  }[];
}

function skippedTests(suites: readonly PlaywrightSuite[]): { title: string; reason: string }[] {
  return suites.flatMap((suite) => [
    ...skippedTests(suite.suites ?? []),
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests
        .filter((test) => test.status === 'skipped')
        .map((test) => ({
          title: spec.title,
          reason: test.annotations.find((note) => note.type === 'skip')?.description ?? 'no reason given',
        })),
    ),
  ]);
}

/** Runs one project of playwright.config.ts. A test that passed only on a retry counts as failed. */
export async function runPlaywright(project: 'headless' | 'double' | 'electron'): Promise<SuiteResult> {
  const start = performance.now();
  const path = join(ROOT, 'test-results', `e2e-${project}.json`);
  await removeReport(path);
  console.log(`\n— e2e on ${project}`);
  const args = [
    'test',
    '--project',
    project,
    '--reporter=list,json',
    '--output',
    `test-results/e2e-${project}`,
  ];
  const code = await run('playwright', args, { PLAYWRIGHT_JSON_OUTPUT_FILE: path });
  const report = await readReport<PlaywrightReport>(path);
  const failed = report ? report.stats.unexpected + report.stats.flaky : 1;
  return {
    name: `e2e: ${project}`,
    passed: report?.stats.expected ?? 0,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: skippedTests(report?.suites ?? []),
    seconds: secondsSince(start),
  };
}
