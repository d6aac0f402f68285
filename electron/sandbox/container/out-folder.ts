import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isOfDeadProcess, thisProcess } from '../host-process.ts';
import { inQuotes } from '../in-quotes.ts';
import type { ContainerUser } from './user.ts';

/** Ends the name of the file beside a folder that says whose it is. */
const HOST = '.host';

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
  // First, so that there is no folder of which nobody knows.
  writeFileSync(path + HOST, JSON.stringify(thisProcess()), { mode: 0o600, flag: 'wx' });
  mkdirSync(path, { mode: 0o700 });
  if (!user.sameOnHost) chmodSync(path, 0o777);
  else if (process.getuid?.() === 0) chownSync(path, user.uid, user.gid);
  return path;
}

/**
 * What removes a folder that `rm` of this process cannot: programs close folders, nest them deeper than a path can be long, and
 * belong to users that only the person's own namespace knows.
 */
const REMOVALS = [
  ['chmod', '-R', 'u+rwX', '--'],
  ['rm', '-rf', '--'],
  ['rootlesskit', 'rm', '-rf', '--'],
] as const;

/** Milliseconds for each of them. */
const REMOVAL_MS = 60_000;

/** Resolves with why something of it is left, as a sentence; with null when it is gone. */
export async function removeOutFolder(base: string, sessionId: string): Promise<string | null> {
  return remove(outFolderPath(base, sessionId));
}

/**
 * Removes the folders of processes of this machine that do not run any more (ST-26): one can have died before anything else
 * was recorded of the session.
 */
export async function removeLeftOutFolders(base: string): Promise<void> {
  const names = await readdir(base).catch(() => []);
  for (const name of names.filter((each) => each.endsWith(HOST))) {
    const host = await readFile(join(base, name), 'utf8').catch(() => '');
    if (isOfDeadProcess(host)) await remove(join(base, name.slice(0, -HOST.length)));
  }
}

async function remove(path: string): Promise<string | null> {
  const reason = await removeFolder(path);
  // Its owner is known as long as something is left.
  if (reason === null) await rm(path + HOST, { force: true });
  return reason;
}

async function removeFolder(path: string): Promise<string | null> {
  // Failures show in what is still there.
  await rm(path, { recursive: true, force: true }).catch(() => {});
  for (const [program, ...args] of REMOVALS) {
    if (!existsSync(path)) return null;
    await promisify(execFile)(program, [...args, path], { timeout: REMOVAL_MS }).catch(() => {});
  }
  if (!existsSync(path)) return null;
  return `What the program left in /out belongs to users of the daemon’s own and is still there. To remove it: rootlesskit rm -rf ${inQuotes(path)}`;
}
