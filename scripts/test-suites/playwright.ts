import { join, relative } from 'node:path';
import { ROOT } from '../root.ts';
import { type FailedTest, firstLine, type SuiteResult, withRunner } from './result.ts';
import { readReport, removeReport, run, secondsSince } from './run.ts';

/** What is read of the report of Playwright's reporter "json". */
export interface PlaywrightReport {
  readonly stats: { readonly expected: number };
  /** Of the run itself: a file that does not load, for example. */
  readonly errors?: readonly PlaywrightError[];
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlaywrightError {
  readonly message?: string;
  /** The file is an absolute path. */
  readonly location?: { readonly file: string; readonly line: number };
}

interface PlaywrightSuite {
  /** Of a file: its path from the folder of the tests. */
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly PlaywrightSpec[];
}

interface PlaywrightSpec {
  readonly title: string;
  readonly tests: readonly {
    readonly status: string;
    readonly annotations: readonly { readonly type: string; readonly description?: string }[];
    readonly results: readonly { readonly errors?: readonly PlaywrightError[] }[];
  }[];
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
  return {
    name: `e2e: ${project}`,
    passed: report?.stats.expected ?? 0,
    failed: withRunner(report ? failedInPlaywright(report) : [], 'playwright', code),
    skipped: report ? skippedInPlaywright(report) : [],
    seconds: secondsSince(start),
  };
}

export function failedInPlaywright(report: PlaywrightReport): FailedTest[] {
  const outside = (report.errors ?? []).map((error) => failed('outside of a test', '', error));
  const inTests = testsOf(report)
    .filter(({ status }) => status === 'unexpected' || status === 'flaky')
    .map(({ file, title, results }) => failed(title, file, results.flatMap(({ errors }) => errors ?? [])[0]));
  return [...outside, ...inTests];
}

function failed(title: string, file: string, error: PlaywrightError | undefined): FailedTest {
  const place = error?.location;
  return {
    file: place ? `${relative(ROOT, place.file)}:${place.line}` : file,
    title,
    error: firstLine(error?.message),
  };
}

function skippedInPlaywright(report: PlaywrightReport): { title: string; reason: string }[] {
  return testsOf(report)
    .filter(({ status }) => status === 'skipped')
    .map(({ title, annotations }) => ({
      title,
      reason: annotations.find((note) => note.type === 'skip')?.description ?? 'no reason given',
    }));
}

function testsOf({ suites = [] }: PlaywrightReport) {
  return suites.flatMap((file) =>
    specsOf(file, []).flatMap(({ title, tests }) =>
      tests.map((test) => ({ ...test, file: `e2e/${file.title}`, title })),
    ),
  );
}

/** The specs of a suite and those within it, each titled with the groups that it stands in. */
function specsOf({ suites = [], specs = [] }: PlaywrightSuite, groups: readonly string[]): PlaywrightSpec[] {
  return [
    ...specs.map((spec) => ({ ...spec, title: [...groups, spec.title].join(' › ') })),
    ...suites.flatMap((suite) => specsOf(suite, [...groups, suite.title])),
  ];
}
