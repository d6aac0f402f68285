import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { AuditBreak, AuditEntry } from '../../shared/governed/audit.ts';
import { sha256 } from '../publication/sha256.ts';
import { isSigned, NO_LINE, readEntry } from './audit-entry.ts';
import type { AuditPaths } from './audit-folder.ts';
import { publicPem } from './key-store.ts';
import { readLogLines } from './log-lines.ts';
import { ReceiptCheck } from './receipt-check.ts';
import { TORN_LINE_EVENT, tornLinesOf } from './torn-line.ts';

/** Checks form, chain, signatures and receipts of one log, line by line, up to the first that does not hold. */
export class LogCheck {
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
    const broken = (await this.#checkTornLine(entry)) ?? this.receipts.check(entry);
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
