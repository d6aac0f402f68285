import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Resolves when the names in a folder are on the disk: a file's name is there with its folder, not with the file. On Windows it
 * does nothing: there no folder can be flushed (EPERM), and NTFS journals names by itself.
 */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
