import type { Finding, KeyPath } from './manifest-toml.ts';

/** What the checks of one manifest found: problems make it unusable, warnings do not. */
export class Findings {
  readonly problems: Finding[] = [];
  readonly warnings: Finding[] = [];
  /** See `compileBounded`. */
  patternIsTooLarge = false;

  problem(path: KeyPath, message: string): void {
    this.problems.push({ path, message });
  }

  warn(path: KeyPath, message: string): void {
    this.warnings.push({ path, message });
  }
}
