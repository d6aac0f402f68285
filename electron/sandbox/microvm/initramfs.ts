import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ALIGNMENT } from './guest/cpio.ts';

/** Others may read it, by its descriptor alone: a monitor is another user where the host is root. */
const MODE = 0o644;

/**
 * The guest's file system with one session's archive behind it, in a file of `folder` that lost its name before anything was
 * written: nobody else can open it, and nothing of it stays, however the host ends. Open for reading and appending.
 */
export async function sessionInitramfs(guest: string, archive: Buffer, folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `.session-${randomUUID()}`);
  const file = await open(path, 'ax+', MODE);
  try {
    await unlink(path);
    await copyFile(guest, `/proc/self/fd/${file.fd}`, constants.COPYFILE_FICLONE);
    // A copy has the mode of what it was made of.
    await file.chmod(MODE);
    const { size } = await file.stat();
    // The kernel takes nothing for an archive that begins elsewhere.
    await file.truncate(Math.ceil(size / ALIGNMENT) * ALIGNMENT);
    await file.writeFile(archive);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
