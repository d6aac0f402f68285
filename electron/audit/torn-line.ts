import { constants } from 'node:fs';
import { type FileHandle, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../publication/sha256.ts';
import { createDurably, isMissing } from './audit-folder.ts';

/** Event of the record that names what was set aside. */
export const TORN_LINE_EVENT = 'audit.torn_line';

export interface TornLine {
  /** Name of the file in the audit folder that holds the bytes. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

const NAME = /^torn-([0-9a-f]{64})\.part$/;

/**
 * Moves what follows the last line feed, the record that a crash cut off, into a file of its own. The copy is on the disk
 * before the log is cut, so a crash in between loses nothing either.
 */
export async function setTornLineAside(log: FileHandle, keep: number, folder: string): Promise<void> {
  const { size } = await log.stat();
  const bytes = Buffer.alloc(size - keep);
  await log.read(bytes, 0, bytes.length, keep);
  const path = join(folder, `torn-${sha256(bytes)}.part`);
  const there = await readIfThere(path);
  if (there === null || !there.equals(bytes)) {
    // Not what its name says: an earlier version on a full disk left a part of it.
    await rm(path, { force: true });
    await createDurably(path, folder, bytes);
  }
  await log.truncate(keep);
  await log.sync();
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Everything that was ever set aside in this folder. */
export async function tornLinesOf(folder: string): Promise<TornLine[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  return Promise.all(
    names.map(async (file) => {
      const bytes = await readFile(join(folder, file), {
        flag: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0),
      });
      return { file, bytes: bytes.length, sha256: sha256(bytes) };
    }),
  );
}
