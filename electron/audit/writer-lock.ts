import { randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { isOfThisMachine, mayBeAlive, thisHost } from '../session/host-identity.ts';
import { type LedgerHeader, ledgerHeaderSchema } from '../session/ledger-entries.ts';
import { AuditError } from './audit-error.ts';
import { isMissing } from './audit-folder.ts';

/** How often a lock of a dead process may turn up again before this gives up. */
const ATTEMPTS = 8;

/** Makes this process the one writer; resolves to what gives that up. Rejects with AuditError `locked`. */
export async function takeWriterLock(path: string): Promise<() => Promise<void>> {
  const own = `${path}.${randomUUID()}`;
  // Linked when complete: nobody ever reads half a lock.
  await writeFile(own, JSON.stringify(thisHost()), { flag: 'wx', mode: 0o600 });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await linked(own, path)) return () => unlink(path).catch(ignoreMissing);
      await removeStale(path);
    }
    throw new AuditError('locked', 'Another process keeps taking the audit log.');
  } finally {
    await unlink(own).catch(ignoreMissing);
  }
}

async function linked(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the lock if its process is gone. Rejects when it lives, or when nobody can tell. Two processes may find the same
 * stale lock, and the second must not remove what the first then made: a lock for the removal lets one in at a time.
 */
async function removeStale(path: string): Promise<void> {
  const found = await readText(path);
  if (found === null) return;
  requireDead(found, path);
  const release = await takeWriterLock(`${path}.takeover`);
  try {
    const text = await readText(path);
    if (text === null) return;
    requireDead(text, path);
    await unlink(path);
  } finally {
    await release();
  }
}

function requireDead(text: string, path: string): void {
  const holder = readHolder(text);
  if (holder === null)
    throw new AuditError('broken', `${path} is not a lock that Airlock wrote; remove it if no Airlock runs.`);
  if (!mayBeAlive(holder)) return;
  const writes = `Process ${holder.pid} on ${holder.machine} writes this audit log; only one Airlock can at a time.`;
  if (isOfThisMachine(holder)) throw new AuditError('locked', writes);
  throw new AuditError(
    'locked',
    `${writes} Whether it still runs cannot be seen from this machine: if that one is gone, or has another name now, remove ${path}.`,
  );
}

function readHolder(text: string): LedgerHeader | null {
  try {
    return ledgerHeaderSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    ignoreMissing(error);
    return null;
  }
}

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}
