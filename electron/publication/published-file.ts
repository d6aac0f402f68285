import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** What a receipt says of a file. */
export interface FileFacts {
  readonly bytes: number;
  readonly sha256: string;
}

const READ_BYTES = 1024 * 1024;

/**
 * Null when the file at `path` is what `expected` says, or else, in words, what it is instead. A link is not followed, a
 * pipe not waited for. Never rejects.
 */
export async function whyNotPublished(path: string, expected: FileFacts): Promise<string | null> {
  let handle: FileHandle;
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    handle = await open(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  } catch (error) {
    return openProblem((error as NodeJS.ErrnoException).code);
  }
  try {
    return await difference(handle, expected);
  } catch (error) {
    return `it cannot be read: ${(error as Error).message}`;
  } finally {
    await handle.close();
  }
}

function openProblem(code: string | undefined): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'it is not there';
  if (code === 'ELOOP') return 'it is a link';
  return `it cannot be opened (${code ?? 'unknown error'})`;
}

async function difference(handle: FileHandle, expected: FileFacts): Promise<string | null> {
  const stats = await handle.stat();
  if (!stats.isFile()) return 'it is not a regular file';
  if (stats.size !== expected.bytes) return `it has ${stats.size} bytes instead of ${expected.bytes}`;
  const { bytes, sha256 } = await hashHandle(handle, expected.bytes);
  if (bytes !== expected.bytes) return `it has ${bytes} bytes instead of ${expected.bytes}`;
  return sha256 === expected.sha256 ? null : `its SHA-256 is ${sha256} instead of ${expected.sha256}`;
}

/** Reads from the start, at most one byte more than `maxBytes`. */
export async function hashHandle(handle: FileHandle, maxBytes: number): Promise<FileFacts> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunksOf(handle, maxBytes + 1)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** The first `maxBytes` bytes by position; each chunk is good until the next is asked for. */
export async function* chunksOf(handle: FileHandle, maxBytes: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(READ_BYTES, maxBytes)));
  let position = 0;
  while (position < maxBytes) {
    const { bytesRead } = await handle.read(
      buffer,
      0,
      Math.min(buffer.length, maxBytes - position),
      position,
    );
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
