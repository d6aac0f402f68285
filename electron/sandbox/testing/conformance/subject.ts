import type { Profile } from '../../../../shared/settings/schema.ts';
import type { SandboxEngine, SandboxTerminal } from '../../engine.ts';

/** One engine as the conformance suite sees it: how it is set up, and what it is excused from. */
export interface Subject {
  /** In the names of tests: "Docker", "gVisor". */
  readonly name: string;
  /** Why it cannot be set up on a machine like this one; null where it must work, so that a failing set-up fails the suite. */
  readonly obstacle: () => string | null;
  readonly start: () => Promise<RunningSubject>;
  /** Behaviours by name that it does not have, and why. */
  readonly excused: Readonly<Record<string, string>>;
}

export interface RunningSubject {
  readonly engine: SandboxEngine;
  /** What its profiles say besides the program and the limits. */
  readonly profile: Partial<Profile>;
  /** Starts a POSIX shell without start-up files; `-c TEXT` or `-i` follow. */
  readonly shell: readonly string[];
  /** A shell command that succeeds only if it reaches that TCP port. */
  readonly connects: (address: string, port: number) => string;
  /** A profile with a network, where the engine has one here: proves that `connects` can tell. */
  readonly networkOn: Partial<Profile> | null;
  /** What nothing bounds here, so that the posture must say so: "processes", "memory". */
  readonly unbounded: readonly string[];
  /**
   * How many times the whole output of a short program is looked for, and how many of those run at once. Where there are fewer
   * than a hundred `npm run bench -- --only tails` does as many.
   */
  readonly tails: { readonly runs: number; readonly atOnce: number };
  /** It hands a new size on and does not wait for it, so that what is typed next may come before. */
  readonly sizesLag?: boolean;
  /** Breaks the way to a running session from outside, so that nobody can say how its program ends; resolves when done. */
  readonly lose: (terminal: SandboxTerminal) => Promise<void>;
  /** What is still there of its sandboxes, in words: processes, containers, folders. */
  readonly leftovers: () => Promise<string[]>;
  /** The module and the arguments of a host process that opens one session: see `lone-host.ts`. */
  readonly hostArguments: readonly string[];
  readonly stop: () => Promise<void>;
}
