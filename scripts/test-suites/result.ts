import { stripVTControlCharacters } from 'node:util';

/** What one suite of tests came to. */
export interface SuiteResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: readonly FailedTest[];
  readonly skipped: readonly { readonly title: string; readonly reason: string }[];
  readonly seconds: number;
}

export interface FailedTest {
  /** From the top folder; empty where no file is to blame. */
  readonly file: string;
  readonly title: string;
  /** What was wrong, in one line. */
  readonly error: string;
}

/** A suite that cannot run here, and why. */
export function skipped(name: string, reason: string): SuiteResult {
  return { name, passed: 0, failed: [], skipped: [{ title: name, reason }], seconds: 0 };
}

/**
 * The failed tests, and the runner itself where it failed without one: it left no report, or something outside of the
 * tests went wrong.
 */
export function withRunner(failed: readonly FailedTest[], runner: string, code: number): FailedTest[] {
  if (failed.length > 0 || code === 0) return [...failed];
  return [{ file: '', title: runner, error: `ended with ${code} and names no test; its output says more` }];
}

/** The first line that says something, without colours. */
export function firstLine(message: string | undefined): string {
  const lines = stripVTControlCharacters(message ?? '').split('\n');
  return lines.map((line) => line.trim()).find((line) => line !== '') ?? 'no reason given';
}
