import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { SharedFile } from '../host-folders.ts';
import type { Collected } from './guest-link.ts';

/** Writes what a worker left into the host's files, in place: each must still be the very one that was granted. */
export async function writeBack(files: readonly SharedFile[], contents: Collected): Promise<void> {
  for (const [index, { path, device, inode }] of files.entries()) {
    const handle = await open(path, constants.O_WRONLY | constants.O_NOFOLLOW);
    try {
      const found = await handle.stat({ bigint: true });
      if (found.dev !== device || found.ino !== inode || !found.isFile())
        throw new Error('The file for the output was replaced meanwhile.');
      await handle.truncate(0);
      await handle.writeFile(contents[index] ?? Buffer.alloc(0));
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}
