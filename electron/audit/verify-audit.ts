import type { KeyObject } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditBreak, AuditEntry, AuditVerification } from '../../shared/governed/audit.ts';
import { sha256 } from '../publication/sha256.ts';
import { isSigned, NO_LINE, readEntry } from './audit-entry.ts';
import { type AuditPaths, auditPaths, isMissing } from './audit-folder.ts';
import { fingerprintOf, publicPem, readPublicKey } from './key-store.ts';
import { type Head, readHead } from './log-head.ts';
import { readLogLines } from './log-lines.ts';
import { ReceiptCheck } from './receipt-check.ts';
import { TORN_LINE_EVENT, tornLinesOf } from './torn-line.ts';

/**
 * Checks the audit log of a data folder from its first line to its last: form, chain, signature, receipts, and whether
 * the published files are what their receipts say. Stops at the first thing that does not hold and names it. Works
 * without the private key, and while a host writes the log. Rejects only where files cannot be read at all.
 */
export async function verifyAudit(dataDir: string): Promise<AuditVerification> {
  const paths = auditPaths(dataDir);
  // Read before the log, which only grows.
  const key = await readKey(paths);
  if (key.broken !== null || key.publicKey === null) return nothingChecked(paths, key.broken);
  const head = await readHead(paths.head, key.publicKey);
  const check = new LogCheck(paths, key.publicKey);
  const broken = (await check.run()) ?? headBreak(head, check);
  const notes = broken === null ? await check.notes() : [];
  return {
    ok: broken === null,
    log: paths.log,
    lines: check.lines,
    receipts: check.receipts.count,
    keyFingerprint: fingerprintOf(key.publicKey),
    broken,
    notes,
  };
}

async function readKey(
  paths: AuditPaths,
): Promise<{ publicKey: KeyObject | null; broken: AuditBreak | null }> {
  try {
    const publicKey = await readPublicKey(paths.publicKey);
    const broken =
      publicKey === null && (await hasLog(paths)) ? keyBreak(`${paths.publicKey} is missing`) : null;
    return { publicKey, broken };
  } catch (error) {
    return {
      publicKey: null,
      broken: keyBreak(`${paths.publicKey} is damaged: ${(error as Error).message}`),
    };
  }
}

/** A log, or a head that says there was one. */
async function hasLog(paths: AuditPaths): Promise<boolean> {
  const sizes = await Promise.all([paths.log, paths.head].map(sizeOf));
  return sizes.some((size) => size > 0);
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

function nothingChecked(paths: AuditPaths, broken: AuditBreak | null): AuditVerification {
  return {
    ok: broken === null,
    log: paths.log,
    lines: 0,
    receipts: 0,
    keyFingerprint: null,
    broken,
    notes: broken === null ? ['Nothing was recorded yet.'] : [],
  };
}

function keyBreak(message: string): AuditBreak {
  return { kind: 'key', line: null, event: null, message: `The log cannot be checked: ${message}.` };
}

function headBreak(head: Head | 'invalid' | null, check: LogCheck): AuditBreak | null {
  const at = { kind: 'end', line: check.lines + 1, event: null } as const;
  if (head === null && check.lines === 0) return null;
  if (head === null || head === 'invalid')
    return {
      ...at,
      message: 'The mark of how far the log went is missing or damaged, so lines may be missing here.',
    };
  if (head.n > check.lines)
    return { ...at, message: `The log ends after line ${check.lines}; it had at least ${head.n} lines.` };
  if (head.n > 0 && check.hashAt(head.n) !== head.hash)
    return { ...at, line: head.n, message: `Line ${head.n} is not the one that was there.` };
  return null;
}

class LogCheck {
  readonly receipts = new ReceiptCheck();
  readonly #paths: AuditPaths;
  readonly #publicKey: KeyObject;
  readonly #hashes: string[] = [];
  readonly #torn: string[] = [];
  #unfinishedTail = false;

  constructor(paths: AuditPaths, publicKey: KeyObject) {
    this.#paths = paths;
    this.#publicKey = publicKey;
  }

  /** Complete lines that hold. */
  get lines(): number {
    return this.#hashes.length;
  }

  hashAt(n: number): string | undefined {
    return this.#hashes[n - 1];
  }

  async run(): Promise<AuditBreak | null> {
    for await (const { bytes, complete } of readLogLines(this.#paths.log)) {
      if (!complete) {
        this.#unfinishedTail = true;
        continue;
      }
      const broken = await this.#checkLine(bytes);
      if (broken !== null) return broken;
      this.#hashes.push(sha256(bytes));
    }
    return null;
  }

  async #checkLine(bytes: Buffer): Promise<AuditBreak | null> {
    const line = this.lines + 1;
    const read = readEntry(bytes);
    if ('problem' in read)
      return { kind: 'format', line, event: null, message: `Line ${line} is damaged: ${read.problem}.` };
    const { entry } = read;
    const at = { line, event: entry.event };
    const problem = this.#linkProblem(entry, line);
    if (problem !== null) return { ...at, ...problem };
    const broken = (await this.#checkTornLine(entry)) ?? (await this.receipts.check(entry));
    return broken === null ? null : { ...at, ...broken };
  }

  #linkProblem(entry: AuditEntry, line: number): Pick<AuditBreak, 'kind' | 'message'> | null {
    // First: what the line says of itself is worth nothing unless it is signed.
    if (!isSigned(entry, this.#publicKey))
      return { kind: 'signature', message: `Line ${line} is not what was signed, or another key signed it.` };
    if (entry.n !== line)
      return {
        kind: 'chain',
        message: `Line ${line} is number ${entry.n} of the log: lines are missing, added or moved.`,
      };
    if (entry.prev !== (this.#hashes.at(-1) ?? NO_LINE))
      return { kind: 'chain', message: `Line ${line} does not follow the line before it.` };
    if (line === 1 && entry.data['public_key'] !== publicPem(this.#publicKey))
      return { kind: 'key', message: 'Line 1 names another key than the one the log is checked with.' };
    return null;
  }

  async #checkTornLine({ event, data }: AuditEntry): Promise<Pick<AuditBreak, 'kind' | 'message'> | null> {
    if (event !== TORN_LINE_EVENT) return null;
    const file = String(data['file']);
    const kept = (await tornLinesOf(this.#paths.folder)).find((torn) => torn.file === file);
    if (kept?.sha256 !== data['sha256'])
      return {
        kind: 'file',
        message: `${join(this.#paths.folder, file)}, which keeps what a crash cut off, is missing or changed.`,
      };
    this.#torn.push(file);
    return null;
  }

  async notes(): Promise<string[]> {
    const { folder } = this.#paths;
    const kept = this.lines === 0 ? [] : await tornLinesOf(folder);
    return [
      ...this.#torn.map(
        (file) => `A crash cut off a record; ${join(folder, file)} keeps what there was of it.`,
      ),
      ...kept
        .filter(({ file }) => !this.#torn.includes(file))
        .map(
          ({ file }) =>
            `${join(folder, file)} keeps a record that a crash cut off; the next start records that.`,
        ),
      ...(this.#unfinishedTail
        ? ['After the last line is a part of one: a crash cut it off, or it is being written.']
        : []),
      ...this.receipts.notes(),
    ];
  }
}
