import type { KeyObject } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { NO_LINE, signText, verifyText } from './audit-entry.ts';
import { createDurably, isMissing } from './audit-folder.ts';

/**
 * How far the log went: number and SHA-256 of a line that was on the disk. It may lag behind the log after a crash and
 * never runs ahead of it, so a log that ends before it has lost lines.
 */
export interface Head {
  readonly n: number;
  readonly hash: string;
}

export const EMPTY_HEAD: Head = { n: 0, hash: NO_LINE };

/** Digits of `n`, so that every head has the same length and one write replaces the last. */
const DIGITS = 15;

const headSchema = z.strictObject({
  n: z.string().regex(/^\d{15}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  sig: z.string().regex(/^[0-9a-f]{128}$/),
});

export class HeadFile {
  readonly #handle: FileHandle;
  readonly #key: KeyObject;

  private constructor(handle: FileHandle, key: KeyObject) {
    this.#handle = handle;
    this.#key = key;
  }

  static async open(path: string, key: KeyObject): Promise<HeadFile> {
    return new HeadFile(await open(path, 'r+'), key);
  }

  static create(path: string, folder: string, key: KeyObject): Promise<void> {
    return createDurably(path, folder, headText(EMPTY_HEAD, key));
  }

  /** Not synced: a head that is lost with the power only lags. */
  async write(head: Head): Promise<void> {
    const bytes = headText(head, this.#key);
    const { bytesWritten } = await this.#handle.write(bytes, 0, bytes.length, 0);
    if (bytesWritten < bytes.length) throw new Error('The head of the audit log could not be written.');
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

function headText(head: Head, key: KeyObject): Buffer {
  const n = String(head.n).padStart(DIGITS, '0');
  return Buffer.from(
    `${JSON.stringify({ n, hash: head.hash, sig: signText('head', n + head.hash, key) })}\n`,
  );
}

/** Null when there is none, `invalid` when it is not one that this key signed. */
export async function readHead(path: string, publicKey: KeyObject): Promise<Head | 'invalid' | null> {
  try {
    const text = await readFile(path, 'utf8');
    if (text === '') return null; // See createDurably.
    const { n, hash, sig } = headSchema.parse(JSON.parse(text));
    return verifyText('head', n + hash, sig, publicKey) ? { n: Number(n), hash } : 'invalid';
  } catch (error) {
    return isMissing(error) ? null : 'invalid';
  }
}
