import { createHash } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerUser } from './user.ts';

/** Where the /out of a session is on the host: its name follows from the session's, so that a later host finds it too. */
export function outFolderPath(base: string, sessionId: string): string {
  return join(base, createHash('sha256').update(sessionId).digest('hex').slice(0, 32));
}

/**
 * Creates the folder that becomes a session's /out. Nobody else of this machine gets through the one around it; so it may be
 * open to everybody where no number of the host is known for the program.
 */
export function createOutFolder(base: string, sessionId: string, user: ContainerUser): string {
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const path = outFolderPath(base, sessionId);
  mkdirSync(path, { mode: 0o700 });
  if (!user.sameOnHost) chmodSync(path, 0o777);
  else if (process.getuid?.() === 0) chownSync(path, user.uid, user.gid);
  return path;
}

export function removeOutFolder(base: string, sessionId: string): void {
  rmSync(outFolderPath(base, sessionId), { recursive: true, force: true });
}
