import type { Disposable } from '../../shared/disposable.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import type { EngineKind, EngineStatus } from '../../shared/terminal/engine-status.ts';
import type { Outcome, ReleaseReport } from '../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';

/** What to open. Everything here was validated against the settings schema; engines validate it again where it bites. */
export interface SandboxSpec {
  readonly sessionId: string;
  readonly profile: Profile;
  /** Absolute path of the project folder for this session, or null. Wins over the profile's. */
  readonly project: string | null;
  /**
   * Set for the worker of a governed session. Then the profile gives the program, the network and the limits; its folders and
   * environment do not apply: the program gets `TERM=dumb` and nothing else, a terminal that does not echo, and no file of
   * the host but these.
   */
  readonly worker?: WorkerPart;
}

/** What a worker is given besides its sandbox (E14, F6). */
export interface WorkerPart {
  /** Plain files of the host, each bound by itself; the rest of the working directory is empty and read-only. */
  readonly files: readonly {
    /** Absolute path on the host. */
    readonly source: string;
    /** Relative to the working directory. */
    readonly target: string;
    readonly access: 'read-only' | 'read-write';
  }[];
  /** Bytes of the largest file that the program may write anywhere; null for no such limit. */
  readonly fileMaxBytes: number | null;
}

/**
 * The exact thing that was started: enough to tell it from a later process that got the same number (ST-25).
 * `startTime` is field 22 of /proc/PID/stat, in clock ticks since boot.
 */
export type SandboxIdentity =
  | { readonly kind: 'process'; readonly pid: number; readonly startTime: string; readonly bootId: string }
  | {
      readonly kind: 'container';
      readonly id: string;
      /** The address of its daemon, and the folder of certificates for it where one is needed. */
      readonly endpoint: string;
      readonly certificates?: string | undefined;
      /** The session that its label names. */
      readonly session?: string | undefined;
    }
  /**
   * A program in a container that is somebody else's: `mark` is in the environment of all its processes, none of which began
   * before `startTime`, as that container counts it.
   */
  | {
      readonly kind: 'program';
      readonly container: string;
      readonly exec: string;
      readonly mark: string;
      readonly startTime?: string | undefined;
      readonly endpoint: string;
      readonly certificates?: string | undefined;
    }
  | { readonly kind: 'machine'; readonly machine: string; readonly execution: string };

/** What an engine's failure to open means; `message` says what happened and what to do. */
export class EngineError extends Error {
  readonly tag: 'engine-unavailable' | 'open-failed' | 'open-timed-out' | 'profile-invalid';
  /** What may be left of an opening, in words; null when nothing is. */
  readonly left: string | null;
  /** What `recover` may be asked with about that; null where it is not known. */
  readonly leftIdentity: SandboxIdentity | null;
  constructor(
    tag: EngineError['tag'],
    message: string,
    left: string | null = null,
    leftIdentity: SandboxIdentity | null = null,
  ) {
    super(left === null ? message : `${message}\n${left}`);
    this.name = 'EngineError';
    this.tag = tag;
    this.left = left;
    this.leftIdentity = leftIdentity;
  }
}

export interface SandboxEngine {
  readonly kind: EngineKind;
  /** Whether it keeps the promises of `SandboxSpec.worker`. */
  readonly runsWorkers: boolean;
  /**
   * Usable here, or why not and what to do, in words; with a profile: for what that one names (its endpoint, image, machine).
   * Never throws, starts nothing that stays, and answers within PROBE_DEADLINE_MS.
   */
  probe(profile?: Profile): Promise<EngineStatus>;
  /** Milliseconds that `open` may take for this profile (ST-6); OPEN_DEADLINE_MS where left out. */
  openDeadlineMs?(profile: Profile): number;
  /**
   * Starts the program at `size`: its first `stty size` is right (ST-5). Aborting `signal` ends what was started.
   * Rejects with EngineError. Never falls back to anything less isolated (ST-1).
   */
  open(spec: SandboxSpec, size: TerminalSize, signal: AbortSignal): Promise<SandboxTerminal>;
  /**
   * For the next start after the host died (ST-26): ends what a recorded identity still names, if it exactly matches.
   */
  recover(identity: SandboxIdentity): Promise<RecoveryReport>;
  /**
   * What may be left where the host died before it was recorded what had been started, in words. Left out where that dies with
   * its host.
   */
  readonly leftByOpening?: string;
}

export type RecoveryReport =
  | { readonly kind: 'absent' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'mismatch'; readonly reason: string };

/** Where the host sees a sandbox's /out. */
export interface OutFolder {
  /** Absolute. Leads into the sandbox's own files: nothing below it may be followed. */
  readonly path: string;
  /**
   * False when the sandbox has ended. Asked after the folder was opened: `path` may name a process, whose number another one
   * can have by then (ST-25).
   */
  isStillThere(): boolean;
}

export interface SandboxTerminal {
  readonly identity: SandboxIdentity;
  readonly posture: SandboxPosture;
  /** Null where there is none. */
  readonly outFolder: OutFolder | null;
  /** Set where a worker's files are written to the host only by the release: until then they look empty there. */
  readonly filesComeLate?: true;
  /**
   * Merged output bytes in order (ST-2), valid during the call only. One listener; bytes that came before it was set are
   * kept, bounded by pausing.
   */
  onOutput(listener: (bytes: Uint8Array) => void): Disposable;
  /** Stops and restarts reading; the kernel's buffer holds the program back (ST-18). Idempotent. */
  pause(): void;
  resume(): void;
  /** Resolves when the bytes were handed to the PTY, in call order. Rejects when the terminal is gone. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the new size is in force; a terminal that has ended is left alone (B04). */
  resize(size: TerminalSize): Promise<void>;
  /** Resolves with what BREAK meant, in words, or null where this engine has none (ST-10). */
  sendBreak(): Promise<string | null>;
  /**
   * Resolves once, after the last output byte was given to the listener (ST-21). While paused it still resolves
   * within DRAIN_DEADLINE_MS of the program's end: what the PTY then holds is read to its end regardless of pause.
   */
  readonly ended: Promise<Outcome>;
  /** Starts or joins the ordered release (ST-24); resolves when removal is confirmed or its deadline passed. */
  release(): Promise<ReleaseReport>;
}
