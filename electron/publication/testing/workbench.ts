import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { approved } from '../../approvals/testing/approve.ts';
import { SignedAuditLog } from '../../audit/audit-log.ts';
import type { AuditLog, FilePlan, PublicationAuthority, Staging } from '../../governed/ports.ts';
import type { OutFolder } from '../../sandbox/engine.ts';
import { CheckedFileGrants } from '../file-grants.ts';
import type { Filesystem } from '../grant-paths.ts';
import { PublicationStore, type SealedFile } from '../publication-store.ts';
import type { OnStep, PublicationStep } from '../publish-file.ts';

/** A project folder, a data folder with a real audit log, and the store on both. */
export class Workbench {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'airlock-publication-')));
  readonly project = join(this.base, 'project');
  readonly dataDir = join(this.base, 'data');
  /** Called at every step of every publication. */
  onStep: OnStep = () => {};
  #audit: SignedAuditLog | null = null;
  #store: PublicationStore | null = null;

  constructor() {
    mkdirSync(join(this.project, 'data'), { recursive: true });
    mkdirSync(this.dataDir);
  }

  async start(): Promise<this> {
    this.#audit = await SignedAuditLog.open(this.dataDir);
    const onStep: OnStep = (step) => this.onStep(step);
    this.#store = await PublicationStore.open({ dataDir: this.dataDir, audit: this.#audit, onStep });
    this.#grants = new CheckedFileGrants(this.#store);
    return this;
  }

  /** As a process that ends and one that starts. */
  async restart(): Promise<void> {
    await this.audit.close();
    this.onStep = () => {};
    await this.start();
  }

  async end(): Promise<void> {
    await this.#audit?.close();
    rmSync(this.base, { recursive: true });
  }

  get audit(): SignedAuditLog {
    if (this.#audit === null) throw new Error('not started');
    return this.#audit;
  }

  get store(): PublicationStore {
    if (this.#store === null) throw new Error('not started');
    return this.#store;
  }

  #grants: CheckedFileGrants | null = null;
  get grants(): CheckedFileGrants {
    if (this.#grants === null) throw new Error('not started');
    return this.#grants;
  }

  /** Path in the project. */
  path(name: string): string {
    return join(this.project, name);
  }

  /** The project's folder `out`, as if a shell had it. */
  readonly out: OutFolder = { path: join(this.project, 'out'), isStillThere: () => true };

  write(name: string, content: string | Uint8Array): string {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  prepare(filesystem: Partial<Filesystem>, args: Record<string, string> = {}): Promise<FilePlan> {
    return this.grants.prepare(filesystemOf(filesystem), args, this.project);
  }

  /** A session whose worker has written `content` into its output and is gone. */
  async staged(
    content: string | Uint8Array,
    create = 'data/report.csv',
    maxFileBytes = 1024,
  ): Promise<Staging> {
    const plan = await this.prepare({ create, maxFileBytes });
    const staging = await plan.stage();
    plan.close();
    writeFileSync(outputOf(staging), content);
    return staging;
  }

  /** As AUTHORITY, by a decision about exactly this output that is in the log. */
  async approved(create = 'data/report.csv', sessionId = AUTHORITY.sessionId): Promise<PublicationAuthority> {
    return approvedOutput(this.audit, create, this.path(create), sessionId);
  }

  /** Stops the next publication at `step` until `go` is called. */
  barrier(step: PublicationStep): { reached: Promise<void>; go(): void } {
    const reached = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    this.onStep = async (now) => {
      if (now !== step) return;
      reached.resolve();
      await go.promise;
    };
    return { reached: reached.promise, go: go.resolve };
  }
}

export function filesystemOf(filesystem: Partial<Filesystem>): Filesystem {
  return { read: [], create: null, maxFileBytes: 1024, ...filesystem };
}

export function outputOf(staging: Staging): string {
  const output = staging.mounts.find(({ access }) => access === 'read-write');
  if (output === undefined) throw new Error('no output was staged');
  return output.source;
}

type Sealed = Pick<SealedFile, 'sessionId' | 'path' | 'bytes' | 'sha256'>;

/** What a shell's file is published by. */
export async function approvedFile(
  audit: AuditLog,
  { sessionId, path, bytes, sha256 }: Sealed,
  destination: string,
): Promise<PublicationAuthority> {
  const payload = { kind: 'publication', tool: null, command: null, session_finalizes: false } as const;
  const about = { destination, files: { create: [path] }, staged: { bytes, sha256 } };
  const { approver, approvalId } = await approved(audit, sessionId, { ...payload, ...about });
  return { sessionId, command: null, approver, approvalId, stillHolds: () => true };
}

/** As AUTHORITY, by a decision about exactly this output. */
export async function approvedOutput(
  audit: AuditLog,
  create: string,
  destination: string,
  sessionId = AUTHORITY.sessionId,
): Promise<PublicationAuthority> {
  const { command: tool } = AUTHORITY;
  const { approver, approvalId } = await approved(audit, sessionId, {
    tool,
    destination,
    files: { create: [create] },
  });
  return { ...AUTHORITY, sessionId, approver, approvalId };
}

/** Of a command that nobody approved: publishes, and `airlock verify` says so. */
export const AUTHORITY: PublicationAuthority = {
  sessionId: 'session-1',
  command: 'report_writer.save',
  approver: null,
  approvalId: null,
  stillHolds: () => true,
};
