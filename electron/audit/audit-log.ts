import { createPublicKey, type KeyObject } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import type { AuditEntry } from '../../shared/governed/audit.ts';
import { AUDIT_LINE_MAX_BYTES } from '../../shared/governed/limits.ts';
import type { AuditLog, AuditRecord } from '../governed/ports.ts';
import { sha256 } from '../publication/sha256.ts';
import { syncFolder } from '../sync-folder.ts';
import { isSigned, readEntry, writeEntry } from './audit-entry.ts';
import { AuditError } from './audit-error.ts';
import { type AuditPaths, auditPaths, createDurably, isMissing, prepareAuditFolder } from './audit-folder.ts';
import { FileKeyStore, fingerprintOf, type KeyStore, publicPem, readPublicKey } from './key-store.ts';
import { EMPTY_HEAD, type Head, HeadFile, readHead } from './log-head.ts';
import { readLogLines } from './log-lines.ts';
import { setTornLineAside, TORN_LINE_EVENT, tornLinesOf } from './torn-line.ts';
import { takeWriterLock } from './writer-lock.ts';

export interface AuditLogOptions {
  /** Where the signing key is; a plain file in the folder when left out. */
  readonly keyStore?: KeyStore;
}

/**
 * The audit log of a data folder: `<dataDir>/audit/log.jsonl`, append-only, each line chained to the one before and
 * signed. This process is its one writer until it is closed.
 */
export class SignedAuditLog implements AuditLog {
  readonly #paths: AuditPaths;
  readonly #key: KeyObject;
  readonly #log: FileHandle;
  readonly #headFile: HeadFile;
  readonly #unlock: () => Promise<void>;
  #head: Head;
  /** Bytes of the complete lines. */
  #size: number;
  #queue: Promise<unknown> = Promise.resolve();
  #failure: AuditError | null = null;

  private constructor(opened: Opened) {
    this.#paths = opened.paths;
    this.#key = opened.key;
    this.#log = opened.log;
    this.#headFile = opened.headFile;
    this.#unlock = opened.unlock;
    this.#head = opened.end.head;
    this.#size = opened.end.size;
  }

  /**
   * Makes folder and key on first use, otherwise continues the chain; a last line that a crash cut off is set aside and
   * recorded. Rejects with AuditError when another process writes the log, or when its end is not as it was left.
   */
  static async open(dataDir: string, options: AuditLogOptions = {}): Promise<SignedAuditLog> {
    const paths = auditPaths(dataDir);
    await prepareAuditFolder(paths.folder);
    const unlock = await takeWriterLock(paths.lock);
    try {
      const log = new SignedAuditLog(
        await openFiles(paths, options.keyStore ?? new FileKeyStore(paths), unlock),
      );
      await log.#begin();
      return log;
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** SHA-256 of the public key, lower-case hex. */
  get keyFingerprint(): string {
    return fingerprintOf(this.#key);
  }

  /** Resolves when the record is on the disk, after all that were appended before. Rejects with AuditError. */
  append(record: AuditRecord): Promise<void> {
    let data: Record<string, unknown>;
    try {
      // What was meant when this was called, and JSON values only.
      data = JSON.parse(JSON.stringify(record.data)) as Record<string, unknown>;
    } catch (error) {
      return Promise.reject(refused(record.event, (error as Error).message));
    }
    const { event, sessionId } = record;
    return this.#enqueue(() => this.#write({ event, sessionId, data }));
  }

  /** The entries so far, in order. Throws AuditError at the first line that is not one. */
  async *entries(): AsyncGenerator<AuditEntry> {
    await this.#queue.catch(() => {});
    let line = 0;
    for await (const { bytes, complete } of readLogLines(this.#paths.log)) {
      if (!complete) return;
      line += 1;
      const read = readEntry(bytes);
      if ('problem' in read)
        throw new AuditError('broken', `Line ${line} of the audit log is damaged: ${read.problem}.`);
      yield read.entry;
    }
  }

  /** Resolves when everything appended is written and another process may write. Idempotent. */
  async close(): Promise<void> {
    const closed = new AuditError('failed', 'The audit log is closed.');
    await this.#enqueue(async () => {
      if (this.#failure?.message === closed.message) return;
      this.#failure = closed;
      await this.#log.close();
      await this.#headFile.close();
      await this.#unlock();
    });
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }

  async #write(record: AuditRecord): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    const line = this.#lineOf(record);
    await this.#put(Buffer.concat([line, Buffer.from('\n')]));
    this.#size += line.length + 1;
    this.#head = { n: this.#head.n + 1, hash: sha256(line) };
    await this.#headFile.write(this.#head).catch((error) => this.#fail(error));
  }

  #lineOf({ event, sessionId, data }: AuditRecord): Buffer {
    const { n, hash } = this.#head;
    const entry = {
      v: 1 as const,
      n: n + 1,
      at: new Date().toISOString(),
      event,
      sessionId,
      data,
      prev: hash,
    };
    let line: Buffer;
    try {
      line = writeEntry(entry, this.#key);
    } catch (error) {
      throw refused(event, (error as Error).message);
    }
    if (line.length > AUDIT_LINE_MAX_BYTES)
      throw refused(event, `it has ${line.length} bytes, at most ${AUDIT_LINE_MAX_BYTES} are allowed`);
    const read = readEntry(line);
    if ('problem' in read) throw refused(event, read.problem);
    return line;
  }

  async #put(bytes: Buffer): Promise<void> {
    try {
      const { bytesWritten } = await this.#log.write(bytes);
      if (bytesWritten < bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes fit`);
      await this.#log.datasync();
    } catch (error) {
      // Nobody was told that this is recorded, so it must not stay half written. What it is after a failed sync, only
      // the next opening can tell.
      await this.#log.truncate(this.#size).catch(() => {});
      this.#fail(error);
    }
  }

  #fail(error: unknown): never {
    this.#failure = new AuditError('failed', `The audit log cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
    throw this.#failure;
  }

  /** The first line of a new log; the records of what a crash cut off. */
  async #begin(): Promise<void> {
    if (this.#head.n === 0) {
      const publicKey = publicPem(this.#key);
      await this.append({ event: 'audit.created', sessionId: null, data: { public_key: publicKey } });
    }
    const torn = await tornLinesOf(this.#paths.folder);
    if (torn.length === 0) return;
    const recorded = new Set<unknown>();
    for await (const { event, data } of this.entries())
      if (event === TORN_LINE_EVENT) recorded.add(data['file']);
    for (const line of torn.filter(({ file }) => !recorded.has(file)))
      await this.append({ event: TORN_LINE_EVENT, sessionId: null, data: { ...line } });
  }
}

interface Opened {
  readonly paths: AuditPaths;
  readonly key: KeyObject;
  readonly log: FileHandle;
  readonly headFile: HeadFile;
  readonly unlock: () => Promise<void>;
  readonly end: LogEnd;
}

interface LogEnd {
  readonly head: Head;
  readonly size: number;
}

async function openFiles(
  paths: AuditPaths,
  keyStore: KeyStore,
  unlock: () => Promise<void>,
): Promise<Opened> {
  const key = await openKey(paths, keyStore);
  const log = await openLog(paths);
  try {
    const end = await findEnd(paths, createPublicKey(key));
    if ((await log.stat()).size > end.size) await setTornLineAside(log, end.size, paths.folder);
    await requireHead(paths, end.head, key);
    return { paths, key, log, headFile: await HeadFile.open(paths.head, key), unlock, end };
  } catch (error) {
    await log.close();
    throw error;
  }
}

async function openKey(paths: AuditPaths, keyStore: KeyStore): Promise<KeyObject> {
  const known = await keyStore.read();
  if (known === null && (await hasContent(paths.log)))
    throw new AuditError('broken', `The signing key of ${paths.log} is gone. ${startOver(paths)}`);
  const key = known ?? (await keyStore.create());
  const published = await readPublicKey(paths.publicKey).catch((error: Error) => {
    throw new AuditError('broken', `${paths.publicKey} cannot be read: ${error.message}`);
  });
  if (published === null) await createDurably(paths.publicKey, paths.folder, Buffer.from(publicPem(key)));
  else if (fingerprintOf(published) !== fingerprintOf(key))
    throw new AuditError('broken', `${paths.publicKey} is not of the signing key. ${startOver(paths)}`);
  return key;
}

async function openLog(paths: AuditPaths): Promise<FileHandle> {
  const { O_RDWR, O_APPEND, O_CREAT } = constants;
  const handle = await open(paths.log, O_RDWR | O_APPEND | O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  if (!(await handle.stat()).isFile()) {
    await handle.close();
    throw new AuditError('broken', `${paths.log} is not a regular file.`);
  }
  await syncFolder(paths.folder);
  return handle;
}

/** Checks the last line alone: the chain before it is for `airlock verify`. */
async function findEnd(paths: AuditPaths, publicKey: KeyObject): Promise<LogEnd> {
  let last: Buffer | null = null;
  let size = 0;
  for await (const { bytes, complete, end } of readLogLines(paths.log)) {
    if (!complete) continue;
    last = bytes;
    size = end;
  }
  if (last === null) return { head: EMPTY_HEAD, size: 0 };
  const read = readEntry(last);
  if ('problem' in read)
    throw new AuditError('broken', `The last line of ${paths.log} is damaged: ${read.problem}.`);
  if (!isSigned(read.entry, publicKey))
    throw new AuditError(
      'broken',
      `The last line of ${paths.log} is not signed by its key. ${startOver(paths)}`,
    );
  return { head: { n: read.entry.n, hash: sha256(last) }, size };
}

async function requireHead(paths: AuditPaths, end: Head, key: KeyObject): Promise<void> {
  const head = await readHead(paths.head, createPublicKey(key));
  if (head === null && end.n === 0) return HeadFile.create(paths.head, paths.folder, key);
  if (head === null || head === 'invalid')
    throw new AuditError('broken', `${paths.head} is missing or damaged. ${startOver(paths)}`);
  if (head.n > end.n || (head.n === end.n && head.hash !== end.hash))
    throw new AuditError(
      'broken',
      `${paths.log} ends before line ${head.n}, which it had. ${startOver(paths)}`,
    );
}

function startOver({ folder }: AuditPaths): string {
  return `To begin a new log, keep this one elsewhere: move ${folder} away.`;
}

async function hasContent(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).size > 0;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function refused(event: string, why: string): AuditError {
  return new AuditError('refused', `The record ${event} cannot be written: ${why}.`);
}
