import { chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { makeProcessFolder, removeLeftFolders } from '../../process-folder.ts';
import { NOBODY } from './process.ts';

const PREFIX = 'airlock-vm-';

/**
 * Makes a private folder for a machine's sockets. Not in the data folder: the path of a Unix socket has at most 107 bytes. As
 * root it belongs to the monitor, which is nobody and makes the sockets there.
 */
export async function makeMachineFolder(): Promise<string> {
  const path = await makeProcessFolder(tmpdir(), PREFIX);
  if (process.getuid?.() === 0) await chown(path, NOBODY, NOBODY);
  return path;
}

/** Removes those of hosts that were killed. */
export function removeLeftMachineFolders(): Promise<void> {
  return removeLeftFolders(tmpdir(), PREFIX);
}
