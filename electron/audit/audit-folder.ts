import { randomUUID } from 'node:crypto';
import { chmod, link, lstat, mkdir, rm, writeFile } from 'node:fs/promises';
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

/**
 * Makes a file that must not exist yet, and resolves when its bytes and its name are on the disk. It gets its name when it is
 * complete. An empty one counts as none: earlier versions left such files on a full disk.
 */
export async function createDurably(path: string, folder: string, bytes: Uint8Array): Promise<void> {
  const own = `${path}.${randomUUID()}`;
  try {
    await writeFile(own, bytes, { flag: 'wx', mode: 0o600, flush: true });
    if (await isEmpty(path)) await rm(path);
    await link(own, path);
  } finally {
    await rm(own, { force: true });
  }
  await syncFolder(folder);
}

async function isEmpty(path: string): Promise<boolean> {
  try {
    const stats = await lstat(path);
    return stats.isFile() && stats.size === 0;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
