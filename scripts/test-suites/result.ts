/** What one suite of tests came to. */
export interface SuiteResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly { readonly title: string; readonly reason: string }[];
  readonly seconds: number;
}

/** A suite that cannot run here, and why. */
export function skipped(name: string, reason: string): SuiteResult {
  return { name, passed: 0, failed: 0, skipped: [{ title: name, reason }], seconds: 0 };
}
