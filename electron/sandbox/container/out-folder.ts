import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isOfDeadProcess, thisProcess } from '../host-process.ts';
import { inQuotes } from '../in-quotes.ts';
import type { ContainerUser } from './user.ts';

/** Where the /out folders of one daemon's containers are on the host. */
export interface OutPlace {
  /** Absolute path of the folder that they are in, with those of other daemons. */
  readonly base: string;
  /** Its address. */
  readonly daemon: string;
}

/** Ends the name of the file beside a folder that says whose it is. */
const HOST = '.host';

/** Where the /out of a session is: its name follows from the daemon's and the session's, so that a later host finds it too. */
export function outFolderPath(place: OutPlace, sessionId: string): string {
  return join(place.base, prefixOf(place) + digest(sessionId));
}

function prefixOf({ daemon }: OutPlace): string {
  return `${digest(daemon)}-`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/**
 * Creates the folder that becomes a session's /out. Nobody else of this machine gets through the one around it; so it may be
 * open to everybody where no number of the host is known for the program.
 */
export function createOutFolder(place: OutPlace, sessionId: string, user: ContainerUser): string {
  mkdirSync(place.base, { recursive: true, mode: 0o700 });
  const path = outFolderPath(place, sessionId);
  // First, so that there is no folder of which nobody knows.
  writeFileSync(path + HOST, JSON.stringify(thisProcess()), { mode: 0o600, flag: 'wx' });
  mkdirSync(path, { mode: 0o700 });
  if (!user.sameOnHost) chmodSync(path, 0o777);
  else if (process.getuid?.() === 0) chownSync(path, user.uid, user.gid);
  return path;
}

/**
 * What removes a folder that a program wrote. The first goes by descriptors: by paths, as Node does, it would follow a link that
 * takes a folder's place meanwhile, out of the sandbox. The others are for what it leaves: closed folders, and those of users that
 * only the person's own namespace knows.
 */
const REMOVALS = [
  ['rm', '-rf', '--'],
  ['chmod', '-R', 'u+rwX', '--'],
  ['rm', '-rf', '--'],
  ['rootlesskit', 'rm', '-rf', '--'],
] as const;

/** Milliseconds for each of them. */
const REMOVAL_MS = 60_000;

/** Resolves with why something of it is left, as a sentence; with null when it is gone. */
export async function removeOutFolder(place: OutPlace, sessionId: string): Promise<string | null> {
  return remove(outFolderPath(place, sessionId));
}

/**
 * Removes the folders of processes of this machine that do not run any more (ST-26): one can have died before anything else
 * was recorded of the session. To be called when the daemon has none of their containers any more.
 */
export async function removeLeftOutFolders(place: OutPlace): Promise<void> {
  const names = await readdir(place.base).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefixOf(place)) && each.endsWith(HOST))) {
    const host = await readFile(join(place.base, name), 'utf8').catch(() => '');
    if (isOfDeadProcess(host)) await remove(join(place.base, name.slice(0, -HOST.length)));
  }
}

async function remove(path: string): Promise<string | null> {
  const reason = await removeFolder(path);
  // Its owner is known as long as something is left.
  if (reason === null) await rm(path + HOST, { force: true });
  return reason;
}

async function removeFolder(path: string): Promise<string | null> {
  for (const [program, ...args] of REMOVALS) {
    if (!existsSync(path)) return null;
    // Failures show in what is still there.
    await promisify(execFile)(program, [...args, path], { timeout: REMOVAL_MS }).catch(() => {});
  }
  if (!existsSync(path)) return null;
  return `What the program left in /out belongs to users of the daemon’s own and is still there. To remove it: rootlesskit rm -rf ${inQuotes(path)}`;
}
