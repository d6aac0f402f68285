import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FilePlan, PublicationAuthority, Staging, WorkerMount } from '../../ports.ts';

/** Real files for a real worker: one input, one output, staged as F6 says. "Publishing" keeps what the output held. */
export class FolderFiles implements FilePlan, Staging {
  readonly folder = mkdtempSync(join(tmpdir(), 'airlock-staging-'));
  readonly mounts: readonly WorkerMount[];
  published: string | null = null;
  discarded = false;
  readonly #output = join(this.folder, 'output');

  constructor(input: { path: string; content: string }, output: string) {
    const source = join(this.folder, 'input');
    writeFileSync(source, input.content);
    chmodSync(source, 0o444);
    writeFileSync(this.#output, '');
    chmodSync(this.#output, 0o666);
    this.mounts = [
      { source, target: input.path, access: 'read-only' },
      { source: this.#output, target: output, access: 'read-write' },
    ];
    mkdirSync(join(this.folder, 'secret'));
  }

  get descriptor() {
    return {
      read: [],
      create: ['data/report.csv'],
      max_file_bytes: 262_144,
      input_snapshots: true,
      overwrite: false,
      output_parent_identity: ['1', '2'] as [string, string],
    } as const as FilePlan['descriptor'];
  }

  async stage(): Promise<Staging> {
    return this;
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async stagedBytes(): Promise<number> {
    return statSync(this.#output).size;
  }

  async publish(authority: PublicationAuthority) {
    if (!authority.stillHolds()) throw new Error('The authority holds no more.');
    this.published = readFileSync(this.#output, 'utf8');
    const at = new Date(0).toISOString();
    return {
      id: '00000000-0000-4000-8000-000000000000',
      sessionId: authority.sessionId,
      command: authority.command,
      path: 'data/report.csv',
      destination: '/nowhere/data/report.csv',
      bytes: Buffer.byteLength(this.published),
      sha256: 'a'.repeat(64),
      approver: authority.approver,
      approvalId: authority.approvalId,
      sealedAt: at,
      publishedAt: at,
    };
  }

  async discard(): Promise<void> {
    this.discarded = true;
  }
}
