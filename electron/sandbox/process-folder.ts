import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPlainFile } from '../plain-file.ts';
import { isOfDeadProcess, thisProcess } from './host-process.ts';

/** Ends the name of the file beside a folder that says whose it is. */
const HOST = '.host';
const HOST_MAX_BYTES = 64 * 1024;

/** Makes an empty folder PARENT/PREFIX…, for this user alone, that later processes know as this one's. */
export async function makeProcessFolder(parent: string, prefix: string): Promise<string> {
  const path = join(parent, prefix + randomBytes(8).toString('hex'));
  // First, so that there is no folder of which nobody knows.
  await writeFile(path + HOST, JSON.stringify(thisProcess()), { mode: 0o600, flag: 'wx' });
  await mkdir(path, { mode: 0o700 });
  return path;
}

export async function removeProcessFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  // Its owner is known as long as something is left.
  await rm(path + HOST, { force: true });
}

/** Removes such folders of processes of this machine that do not run any more (ST-26). Never rejects: what cannot go stays. */
export async function removeLeftFolders(parent: string, prefix: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix) && each.endsWith(HOST))) {
    const path = join(parent, name.slice(0, -HOST.length));
    if (isOfDeadProcess(hostOf(path))) await removeProcessFolder(path).catch(() => {});
  }
}

/** Whether one of `names` is such a folder, or the file that says whose. */
export function hasHost(names: readonly string[], name: string): boolean {
  return name.endsWith(HOST) || names.includes(name + HOST);
}

function hostOf(path: string): string {
  try {
    return readPlainFile(path + HOST, HOST_MAX_BYTES).toString('utf8');
  } catch {
    return '';
  }
}
