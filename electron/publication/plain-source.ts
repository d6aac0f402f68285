import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { FileError } from '../governed/ports.ts';
import type { HeldFolder } from './held-folder.ts';
import { chunksOf, type FileFacts } from './published-file.ts';

/** A file that somebody else may still hold: opened once, checked by its descriptor, never by its path again. */
export interface PlainSource {
  readonly handle: FileHandle;
  readonly size: number;
  /** Rejects when the file is no longer what it was when it was opened. */
  requireUnchanged(): Promise<void>;
}

export interface SourceTexts {
  readonly rule: string;
  /** It cannot be opened, or it is a link. */
  readonly cannotOpen: string;
  /** Its permissions keep whoever runs Airlock from reading it; `cannotOpen` where left out. */
  readonly closed?: string;
  /** It is not a regular file, has several names, or is too large. */
  readonly notPlain: string;
  readonly changed: string;
}

/** Opens a regular file with one name and at most `maxBytes` bytes. Rejects with FileError. */
export async function openPlain(
  folder: HeldFolder,
  name: string,
  maxBytes: number,
  texts: SourceTexts,
): Promise<PlainSource> {
  const handle = await folder.openFile(name, constants.O_RDONLY).catch(({ code }: NodeJS.ErrnoException) => {
    throw new FileError(texts.rule, (code === 'EACCES' && texts.closed) || texts.cannotOpen);
  });
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile() || stats.nlink !== 1n || stats.size > BigInt(maxBytes))
      throw new FileError(texts.rule, texts.notPlain);
    const requireUnchanged = async () => {
      const now = await handle.stat({ bigint: true });
      const same =
        now.size === stats.size &&
        now.nlink === 1n &&
        now.mtimeNs === stats.mtimeNs &&
        now.ctimeNs === stats.ctimeNs;
      if (!same) throw new FileError(texts.rule, texts.changed);
    };
    return { handle, size: Number(stats.size), requireUnchanged };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Copies a source to a file that was just made, and hashes what was copied. A file that grows is not followed. */
export async function copyHashed(source: PlainSource, target: FileHandle): Promise<FileFacts> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunksOf(source.handle, source.size)) {
    hash.update(chunk);
    await writeAll(target, chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

export async function writeAll(target: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    const { bytesWritten } = await target.write(chunk, written);
    written += bytesWritten;
  }
}
