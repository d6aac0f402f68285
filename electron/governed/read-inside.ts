import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fail, ok, type Result } from '../../shared/result.ts';

export interface FileText {
  readonly text: string;
  readonly bytes: Buffer;
}

export type Unread = 'absent' | { readonly message: string };

/**
 * Reads one text file of a folder: a regular file of at most `maxBytes`, UTF-8, and itself inside the folder: a link to
 * somewhere else is not followed. Never waits on a pipe or a device.
 */
export async function readInside(
  folder: string,
  name: string,
  maxBytes: number,
): Promise<Result<FileText, Unread>> {
  let file: FileHandle | undefined;
  try {
    const root = await realpath(folder);
    const path = await realpath(join(root, name));
    if (!path.startsWith(root + sep)) return fail({ message: 'is a link that leaves its folder' });
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return fail({ message: 'is not a regular file' });
    const bytes = await readUpTo(file, maxBytes + 1);
    if (bytes.length > maxBytes) return fail({ message: `must have at most ${maxBytes} bytes` });
    return decode(bytes);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    return fail(code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : { message: `cannot be read (${code})` });
  } finally {
    await file?.close();
  }
}

async function readUpTo(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.alloc(Math.min(65_536, maxBytes - total));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return Buffer.concat(chunks, total);
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
  }
}

function decode(bytes: Buffer): Result<FileText, Unread> {
  try {
    return ok({ bytes, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) });
  } catch {
    return fail({ message: 'is not UTF-8 text' });
  }
}
