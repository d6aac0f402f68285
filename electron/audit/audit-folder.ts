import { chmod, lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../sync-folder.ts';
import { AuditError } from './audit-error.ts';

/** The files of `<dataDir>/audit/`. */
export interface AuditPaths {
  readonly folder: string;
  readonly log: string;
  /** How far the log went, signed: tells when lines are missing at its end. */
  readonly head: string;
  readonly lock: string;
  readonly key: string;
  readonly publicKey: string;
}

export function auditPaths(dataDir: string): AuditPaths {
  const folder = join(dataDir, 'audit');
  return {
    folder,
    log: join(folder, 'log.jsonl'),
    head: join(folder, 'head.json'),
    lock: join(folder, 'lock.json'),
    key: join(folder, 'key.json'),
    publicKey: join(folder, 'key.pub'),
  };
}

/** Makes the folder, for its owner alone. Rejects with AuditError where it is a link, or another user's. */
export async function prepareAuditFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await lstat(folder);
  if (!stats.isDirectory()) throw new AuditError('broken', `${folder} is not a folder.`);
  const user = process.getuid?.();
  if (user === undefined) return; // Windows: who may write is not in the mode.
  if (stats.uid !== user) throw new AuditError('broken', `${folder} belongs to another user.`);
  if ((stats.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** Makes a file that must not exist yet, and resolves when its bytes and its name are on the disk. */
export async function createDurably(path: string, folder: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(folder);
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
