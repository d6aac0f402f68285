import { closeSync, lstatSync, openSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Of the tables below and of everything that is stored in them. An index of another version is made anew. */
const VERSION = 3;
const BUSY_MS = 5_000;

/**
 * Everything here comes from the recordings and can be made from them again. A block is some lines of a transcript's final
 * text; its number holds its transcript's, so that what FTS5 finds says whose it is: `seq * BLOCKS + n`.
 */
const TABLES = `
  CREATE TABLE transcripts (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    profile TEXT NOT NULL,
    engine TEXT,
    product TEXT,
    started TEXT,
    -- Of the file where a foreign one does not say.
    started_ms INTEGER NOT NULL,
    cols INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    duration_ms REAL NOT NULL DEFAULT 0,
    ended TEXT NOT NULL DEFAULT 'running',
    ended_words TEXT NOT NULL DEFAULT '',
    stopped TEXT,
    approvals INTEGER NOT NULL DEFAULT 0,
    receipts INTEGER NOT NULL DEFAULT 0,
    -- Lines of the recording that could not be read.
    damaged INTEGER NOT NULL DEFAULT 0,
    -- Lines of final text, and how far into the recording they go.
    lines INTEGER NOT NULL DEFAULT 0,
    indexed INTEGER NOT NULL DEFAULT 0,
    -- Nothing will follow.
    complete INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX newest ON transcripts (started_ms DESC, seq DESC);
  CREATE INDEX unfinished ON transcripts (seq) WHERE complete = 0;
  CREATE TABLE blocks (
    block INTEGER PRIMARY KEY,
    first_line INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    times BLOB NOT NULL,
    text BLOB NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE grams USING fts5 (words, content='', contentless_delete=1, detail=none, tokenize='ascii');
  CREATE TABLE snapshots (
    seq INTEGER NOT NULL,
    position INTEGER NOT NULL,
    at_us INTEGER NOT NULL,
    cols INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    -- Where indexing goes on after it: number of the next line, and the line that is not at its end.
    lines INTEGER NOT NULL,
    open TEXT,
    screen BLOB NOT NULL,
    PRIMARY KEY (seq, position)
  ) STRICT;
  CREATE TABLE moments (
    seq INTEGER NOT NULL,
    position INTEGER NOT NULL,
    at_ms REAL NOT NULL,
    approval TEXT,
    receipt TEXT,
    moment TEXT NOT NULL,
    PRIMARY KEY (seq, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX moments_by_approval ON moments (approval) WHERE approval IS NOT NULL;
  CREATE INDEX moments_by_receipt ON moments (receipt) WHERE receipt IS NOT NULL;
`;

/** Blocks that a transcript may have: 32 GiB of text. */
export const BLOCKS = 2 ** 20;

/** Which file an open index is; null when there is none at the path. */
export type FileIdentity = string | null;

export interface OpenIndex {
  readonly database: DatabaseSync;
  readonly file: FileIdentity;
}

export function indexPath(folder: string): string {
  return join(folder, 'index.sqlite');
}

/** Opens the index for writing; makes it anew where it is missing, damaged or of another version. Throws when that fails. */
export function openIndexToWrite(folder: string): OpenIndex {
  const path = indexPath(folder);
  try {
    for (const file of filesOf(folder)) requireFile(file);
    return open(path);
  } catch (error) {
    // One that cannot be written now is a good one later.
    if (isDiskFull(error)) throw error;
    removeIndex(folder);
    return open(path);
  }
}

/** What stands in its place may be a pipe, which nobody should wait for. */
function requireFile(path: string): void {
  const about = lstatSync(path, { throwIfNoEntry: false });
  if (about !== undefined && !about.isFile()) throw new Error(`${basename(path)} is no file.`);
}

/** For more to be stored in an index that another connection has opened. Throws when it is not there any more. */
export function openIndexToAdd(folder: string): DatabaseSync {
  const { database } = openIndexToRead(folder);
  database.close();
  const writing = new DatabaseSync(indexPath(folder), { timeout: BUSY_MS });
  writing.exec('PRAGMA synchronous = NORMAL');
  return writing;
}

/** Throws where there is none that can be read. */
export function openIndexToRead(folder: string): OpenIndex {
  const path = indexPath(folder);
  for (const each of filesOf(folder)) requireFile(each);
  const file = identityOf(path);
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  try {
    if (versionOf(database) !== VERSION) throw new Error('The index is of another version.');
    return { database, file };
  } catch (error) {
    database.close();
    throw error;
  }
}

export function removeIndex(folder: string): void {
  for (const file of filesOf(folder)) rmSync(file, { force: true });
}

function filesOf(folder: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((suffix) => indexPath(folder) + suffix);
}

/** Whether the file that was opened is not at its path any more. */
export function isReplaced(folder: string, { file }: OpenIndex): boolean {
  return identityOf(indexPath(folder)) !== file;
}

/** What SQLite says of a file whose content it cannot make sense of. */
export function isDamage(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  const primary = (errcode ?? 0) & 0xff;
  // SQLITE_CORRUPT, SQLITE_NOTADB; a blob that cannot be unpacked.
  return primary === 11 || primary === 26 || (code !== undefined && /^(Z_|ZSTD_)/.test(code));
}

/** What SQLite says instead of SQLITE_FULL: IOERR of write, fsync, truncate, shared memory's size and map. */
const FAILED_WRITES: ReadonlySet<number> = new Set([778, 1034, 1546, 4874, 5386]);

/** There is no room for what is to be written. */
export function isDiskFull(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  const isFull = ((errcode ?? 0) & 0xff) === 13 || FAILED_WRITES.has(errcode ?? 0);
  return isFull || code === 'ENOSPC' || code === 'EDQUOT';
}

function open(path: string): OpenIndex {
  // SQLite gives its other files the rights of this one.
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    database.exec('BEGIN IMMEDIATE');
    const version = versionOf(database);
    if (version === 0) database.exec(`${TABLES}; PRAGMA user_version = ${VERSION}`);
    else if (version !== VERSION) throw new Error('The index is of another version.');
    database.exec('COMMIT');
    return { database, file: identityOf(path) };
  } catch (error) {
    database.close();
    throw error;
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

function identityOf(path: string): FileIdentity {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
