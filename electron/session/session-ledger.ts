import { randomUUID } from 'node:crypto';
import { closeSync, fdatasync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { thisHost } from './host-identity.ts';
import type { LedgerEntry } from './ledger-entries.ts';

const sync = promisify(fdatasync);

type WithoutTime<T> = T extends LedgerEntry ? Omit<T, 'at'> : never;
export type LedgerFact = WithoutTime<LedgerEntry>;

/**
 * This host's record of its sessions: what a later host needs to end what this one leaves behind if it dies (ST-26).
 * Each host writes a file of its own, so two hosts on one folder never mistake each other's live sessions for
 * orphans. Lines are short and written synchronously, so their order is the order of the facts.
 */
export class SessionLedger {
  readonly folder: string;
  #isClosed = false;
  #file: { readonly path: string; readonly fd: number } | null = null;
  /** Sessions whose record is more than a clean end: they keep the file. */
  readonly #kept = new Set<string>();
  readonly #unconfirmed = new Set<string>();

  /** `folder` is made when the first fact is recorded, readable for its owner only. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** This host's file, or null while nothing was recorded. */
  get path(): string | null {
    return this.#file?.path ?? null;
  }

  /** Sessions of which it is not on record that nothing is left of them. */
  get unconfirmed(): number {
    return this.#unconfirmed.size;
  }

  /**
   * In the file when it returns, but not yet safe from a power failure. Throws what the file system says, and when this is
   * closed: nobody would remove a file that is made after that.
   */
  append(fact: LedgerFact): void {
    if (this.#isClosed) throw new Error('The record of sessions is closed.');
    this.#file ??= createFile(this.folder);
    writeLine(this.#file.fd, { ...fact, at: new Date().toISOString() });
    const { event, session } = fact;
    if (event === 'clean') this.#kept.delete(session);
    else this.#kept.add(session);
    if (event === 'clean' || event === 'host-lost') this.#unconfirmed.delete(session);
    else this.#unconfirmed.add(session);
  }

  /** Resolves when everything appended so far survives a power failure. */
  async flush(): Promise<void> {
    if (this.#file !== null) await sync(this.#file.fd);
  }

  /** Removes the file unless it tells more than clean ends: something to look after, or that a host was lost. */
  close(): void {
    this.#isClosed = true;
    if (this.#file === null) return;
    closeSync(this.#file.fd);
    if (this.#kept.size === 0) rmSync(this.#file.path, { force: true });
    this.#file = null;
  }
}

function createFile(folder: string): { path: string; fd: number } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.jsonl`);
  const fd = openSync(path, 'ax', 0o600);
  try {
    writeLine(fd, thisHost());
    return { path, fd };
  } catch (error) {
    closeSync(fd);
    rmSync(path, { force: true });
    throw error;
  }
}

/** Starts with a line feed as well: half a line that a full disk left behind cannot spoil the next one. */
function writeLine(fd: number, value: unknown): void {
  const line = Buffer.from(`\n${JSON.stringify(value)}\n`);
  const written = writeSync(fd, line);
  if (written < line.length) throw new Error(`Only ${written} of ${line.length} bytes could be written.`);
}
