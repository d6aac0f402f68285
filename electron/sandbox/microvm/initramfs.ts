import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Others may read it, by its descriptor alone: a monitor is another user where the host is root. */
const MODE = 0o644;

/**
 * The guest's file system with one session's archive behind it, in a file of `folder` that has no name any more: nobody else can
 * open it, and nothing of it stays, however the host ends. Open for reading and writing.
 */
export async function sessionInitramfs(guest: string, archive: Buffer, folder: string): Promise<FileHandle> {
  const path = join(folder, `.session-${randomUUID()}`);
  try {
    await copyFile(guest, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const file = await open(path, 'r+');
    try {
      await file.chmod(MODE);
      await file.write(archive, 0, archive.length, (await file.stat()).size);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  } finally {
    await unlink(path).catch(() => {});
  }
}
