import type { ApprovalPayload } from '../../shared/governed/approval.ts';
import type { GovernedFailure } from '../../shared/governed/call.ts';
import type { Manifest, ManifestCommand } from '../../shared/governed/manifest.ts';
import type { FileDescriptor, Receipt } from '../../shared/governed/receipt.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import type { EngineKind } from '../../shared/terminal/engine-status.ts';
import type { Outcome, ReleaseReport } from '../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';

/** What the parts of a governed session need of each other. Each is implemented in its own folder. */

/** A file or folder of the host that a worker sees. */
export interface WorkerMount {
  /** Absolute path on the host. */
  readonly source: string;
  /** Relative to the worker's working directory. */
  readonly target: string;
  readonly access: 'read-only' | 'read-write';
}

export interface WorkerSpec {
  readonly sessionId: string;
  readonly argv: readonly string[];
  /** Engine, network and limits; its program, project, scratch folder and environment do not apply (E14). */
  readonly profile: Profile;
  readonly mounts: readonly WorkerMount[];
  /** Bytes of the largest file that the worker may write (F6); null without a grant. */
  readonly fileMaxBytes: number | null;
}

/** The sandboxed program of one governed session: echo off, `TERM=dumb`, no host files but its mounts (E14). */
export interface Worker {
  readonly posture: SandboxPosture;
  /** Set where its output file is written only when it is removed. */
  readonly filesComeLate?: true;
  /** Merged output bytes, valid during the call only. One listener. */
  onOutput(listener: (bytes: Uint8Array) => void): void;
  /** Resolves when the bytes were handed to the PTY. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves once, after the last output byte. */
  readonly ended: Promise<Outcome>;
  /** Ends everything in the sandbox; resolves when removal is confirmed or its deadline passed. */
  release(): Promise<ReleaseReport>;
}

export interface Workers {
  /** Whether this engine can run a worker at all (E10.4). */
  supports(engine: EngineKind): boolean;
  /** What is wrong with a profile's sandbox, in words, or null; starts nothing (E10.2). */
  problemOf(profile: Profile): string | null;
  /** Aborting `signal` ends what was started before this rejects (E15). Rejects with EngineError. */
  start(spec: WorkerSpec, signal: AbortSignal): Promise<Worker>;
}

/** What F1–F5 say about one call's grants: inputs read once, the output's folder held. */
export interface FilePlan {
  readonly descriptor: FileDescriptor;
  /** Private copies of the inputs and an empty output file (F6). Fails with the text of F6. */
  stage(): Promise<Staging>;
  /** Gives the held folder back; a staging made of the plan stays good. */
  close(): void;
}

export interface Staging {
  readonly mounts: readonly WorkerMount[];
  /** Bytes in the output file now; null without one. */
  stagedBytes(): Promise<number | null>;
  /**
   * Seals and publishes the output (F7–F10); call it when the worker is gone. Rejects with a FileError that says what became
   * of the file: one that is kept is listed as a failed publication.
   */
  publish(authority: PublicationAuthority): Promise<Receipt>;
  /** Removes everything that was staged. Idempotent. */
  discard(): Promise<void>;
}

export interface PublicationAuthority {
  readonly sessionId: string;
  readonly command: string | null;
  readonly approver: Receipt['approver'];
  readonly approvalId: string | null;
  /** Where the session's transcript is now; null, or left out, where it has none. */
  readonly transcriptPlace?: () => Receipt['transcript'];
  /** Asked again before the rename (F8): false refuses. */
  stillHolds(): boolean;
  /**
   * Where a second look at the sealed file is wanted (DESIGN 7): what came of it. An approval takes the place of `approver`
   * and `approvalId`; with anything else nothing is published, for that reason.
   */
  secondLook?(sealed: Pick<Receipt, 'path' | 'destination' | 'bytes' | 'sha256'>): Promise<Decision>;
}

/** A refusal of section 3; `text` is the reference's. `file`: what became of an output that was to be published. */
export class FileError extends Error {
  readonly rule: string;
  readonly file: GovernedFailure['file'];
  constructor(rule: string, text: string, file?: GovernedFailure['file']) {
    super(text);
    this.name = 'FileError';
    this.rule = rule;
    this.file = file;
  }
}

export interface FileGrants {
  /**
   * Checks and reads what a call is granted. `root` is the folder that the paths are relative to, and their ceiling (F2).
   * Rejects with FileError.
   */
  prepare(
    filesystem: NonNullable<Manifest['filesystem']>,
    args: Readonly<Record<string, string>>,
    root: string,
  ): Promise<FilePlan>;
}

/** Everything that happened, in order, signed (DESIGN 6). Resolves when the record is on the disk; rejects when it is not. */
export interface AuditLog {
  append(record: AuditRecord): Promise<void>;
}

/** One fact; `event` is past tense and dotted, as `approval.decided`. `data` holds JSON values only, no secrets. */
export interface AuditRecord {
  readonly event: string;
  readonly sessionId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export type Decision =
  | {
      readonly outcome: 'approved';
      readonly approvalId: string;
      readonly approver: NonNullable<Receipt['approver']>;
      /** A6: the decision is to be used by then, a reading of the steady clock: no change of the wall clock counts (B27). */
      readonly goodUntil: number;
    }
  | { readonly outcome: 'denied' | 'expired' | 'cancelled'; readonly text: string };

/** The rule that stands with the text of a decision that is no approval. */
export function ruleOfRefusal(outcome: Exclude<Decision['outcome'], 'approved'>): string {
  return outcome === 'expired' ? 'A5' : 'A8';
}

export interface Approvals {
  /** Asks a person; aborting `signal` takes the question away (A9). Never rejects; records every outcome. */
  ask(
    question: { sessionId: string; title: string; payload: ApprovalPayload },
    signal: AbortSignal,
  ): Promise<Decision>;
}

/** One call as policies see it (section 6). */
export interface PolicyCall {
  readonly principalId: string;
  /** Names this one call (A3). */
  readonly callId: string;
  readonly manifest: Manifest;
  readonly manifestDigest: string;
  readonly command: ManifestCommand;
  /** Normalised arguments, `command` (the exact line) among them. */
  readonly args: Readonly<Record<string, string>>;
  /** Of exactly this call, by `fingerprintOf` (A3). */
  readonly fingerprint: string;
  readonly files: FileDescriptor | null;
  readonly tier: string;
  /** The fingerprint that was approved, or null (C4). */
  readonly approvedFingerprint: string | null;
}

export interface Policies {
  /** Never rejects: whatever goes wrong is a denial with its text (C6). `policies`: the ids that decided. */
  decide(call: PolicyCall): { allowed: boolean; text: string; policies: readonly string[] };
}
