import type { FileDescriptor, Receipt } from '../../../../shared/governed/receipt.ts';
import type { FilePlan, PublicationAuthority, Staging, WorkerMount } from '../../ports.ts';

const SHA256 = 'a'.repeat(64);

/** Grants of one output file. */
export class ScriptedFiles implements FilePlan, Staging {
  readonly log: string[];
  readonly descriptor: FileDescriptor;
  readonly mounts: readonly WorkerMount[] = [
    { source: '/staged/out', target: 'out.csv', access: 'read-write' },
  ];
  onStage: () => Promise<void> = async () => {};
  onPublish: (authority: PublicationAuthority) => Promise<void> = async () => {};
  onDiscard: () => Promise<void> = async () => {};

  constructor(log: string[], part: Partial<FileDescriptor> = {}) {
    this.log = log;
    this.descriptor = {
      read: [],
      create: ['out.csv'],
      max_file_bytes: 1024,
      input_snapshots: true,
      overwrite: false,
      output_parent_identity: ['1', '2'],
      ...part,
    };
  }

  async stage(): Promise<Staging> {
    this.log.push('stage');
    await this.onStage();
    return this;
  }

  close(): void {}

  async stagedBytes(): Promise<number | null> {
    return 3;
  }

  async publish(authority: PublicationAuthority): Promise<Receipt> {
    this.log.push('publish');
    await this.onPublish(authority);
    const at = new Date(0).toISOString();
    this.log.push('published');
    return {
      id: '00000000-0000-4000-8000-000000000000',
      sessionId: authority.sessionId,
      command: authority.command,
      path: 'out.csv',
      destination: '/project/out.csv',
      bytes: 3,
      sha256: SHA256,
      approver: authority.approver,
      approvalId: authority.approvalId,
      sealedAt: at,
      publishedAt: at,
    };
  }

  async discard(): Promise<void> {
    this.log.push('discard');
    await this.onDiscard();
  }
}
