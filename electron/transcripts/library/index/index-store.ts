import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import { TEXT_BLOCK } from '../../../../shared/transcripts/limits.ts';
import type { Moment } from '../../../../shared/transcripts/moment.ts';
import type { FinalLine, OpenLine } from '../text/logical-lines.ts';
import type { Aside } from './aside/aside.ts';
import { type EndedAs, type Facts, RUNNING, WITHOUT_END } from './facts.ts';
import { gramsOf } from './grams.ts';
import { BLOCKS } from './index-file.ts';
import { packText, packTimes, unpackText } from './packed.ts';
import { preparedStatements } from './prepared-statements.ts';

/** Where a terminal's state was kept: play and indexing can go on from there. */
export interface StoredSnapshot {
  readonly position: number;
  readonly atUs: number;
  readonly size: TerminalSize;
  readonly screen: string;
  /** Number of the first line after it. */
  readonly lines: number;
  readonly open: OpenLine;
}

export interface StoredMoment {
  readonly position: number;
  readonly moment: Moment;
}

/** What a transcript has come to. */
export interface Progress {
  readonly indexed: number;
  readonly bytes: number;
  readonly durationMs: number;
  readonly ended: EndedAs;
  readonly stopped: string | null;
  readonly damaged: number;
  readonly complete: boolean;
}

/** One step of a transcript; it is stored whole or not at all. */
export interface Addition {
  readonly progress: Progress;
  /** Number of the first line that is replaced; those before it stay. */
  readonly fromLine: number;
  readonly lines: readonly FinalLine[];
  readonly snapshot: StoredSnapshot | null;
  readonly moments: readonly StoredMoment[];
}

export interface StoredTranscript {
  readonly seq: number;
  readonly id: string;
  readonly complete: boolean;
}

/** Every write to an open index. What it is asked about a transcript comes after what was added to it. */
export class IndexStore {
  readonly #database: DatabaseSync;
  readonly #aside: Aside | null;
  readonly #sql: (text: string) => StatementSync;

  /** `aside`: where large additions go instead; what is to be done there may fail with a later call. */
  constructor(database: DatabaseSync, aside: Aside | null = null) {
    this.#database = database;
    this.#aside = aside;
    this.#sql = preparedStatements(database);
  }

  transcripts(): StoredTranscript[] {
    this.#aside?.settle();
    return this.#sql('SELECT seq, id, complete FROM transcripts')
      .all()
      .map(({ seq, id, complete }) => ({ seq: Number(seq), id: String(id), complete: complete === 1 }));
  }

  /** The number of a transcript, which gets one when it is new. */
  register(id: string, facts: Facts, bytes: number): number {
    const { kind, title, profile, engine, product, started, startedMs, cols, rows, whole } = facts;
    const known = this.#seqOf(id);
    if (known !== null) return known;
    const ended = whole ? WITHOUT_END : RUNNING;
    this.#sql(
      `INSERT INTO transcripts
         (id, kind, title, profile, engine, product, started, started_ms, cols, rows, bytes, ended, ended_words)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      ...[id, kind, title, profile, engine, product, started, startedMs, cols, rows, bytes],
      ...[ended.how, ended.words],
    );
    return this.#seqOf(id) ?? 0;
  }

  #seqOf(id: string): number | null {
    const row = this.#sql('SELECT seq FROM transcripts WHERE id = ?').get(id);
    return row === undefined ? null : Number(row['seq']);
  }

  /** Of an empty recording that has got its first line since. */
  describe(seq: number, { startedMs, whole: _, ...described }: Facts): void {
    const facts = { ...described, started_ms: startedMs };
    const columns = Object.keys(facts);
    const now = this.#sql(`SELECT ${columns.join(', ')} FROM transcripts WHERE seq = ?`).get(seq);
    if (Object.entries(facts).every(([column, value]) => now?.[column] === value)) return;
    this.#sql(
      `UPDATE transcripts SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE seq = ?`,
    ).run(...[...Object.values(facts), seq]);
  }

  lastSnapshot(seq: number): StoredSnapshot | null {
    this.#aside?.settle(seq);
    const row = this.#sql('SELECT * FROM snapshots WHERE seq = ? ORDER BY position DESC LIMIT 1').get(seq);
    return row === undefined ? null : snapshotOfRow(row);
  }

  /** Takes back everything that was stored of a transcript after a place in it. */
  rewind(seq: number, { position, lines }: Pick<StoredSnapshot, 'position' | 'lines'>): void {
    this.#aside?.settle(seq);
    const now = this.#sql('SELECT lines, indexed FROM transcripts WHERE seq = ?').get(seq);
    if (now?.['lines'] === lines && now['indexed'] === position) return;
    this.together(() => {
      this.#removeLines(seq, lines);
      this.#sql('DELETE FROM moments WHERE seq = ? AND position >= ?').run(seq, position);
      this.#sql('DELETE FROM snapshots WHERE seq = ? AND position > ?').run(seq, position);
      this.#sql('UPDATE transcripts SET lines = ?, indexed = ? WHERE seq = ?').run(lines, position, seq);
    });
  }

  /** Throws NotStoredError too. */
  add(seq: number, addition: Addition): void {
    if (this.#aside?.takes(addition)) this.#aside.add(seq, addition);
    else this.#addHere(seq, addition);
  }

  #addHere(seq: number, { progress, fromLine, lines, snapshot, moments }: Addition): void {
    this.together(() => {
      this.#removeLines(seq, fromLine);
      this.#addLines(seq, fromLine, lines);
      if (snapshot !== null) this.#addSnapshot(seq, snapshot);
      for (const moment of moments) this.#addMoment(seq, moment);
      const { indexed, bytes, durationMs, ended, stopped, damaged, complete } = progress;
      this.#sql(
        `UPDATE transcripts SET indexed = ?, bytes = ?, duration_ms = ?, ended = ?, ended_words = ?, stopped = ?,
           damaged = ?, lines = ?, complete = ?,
           approvals = (SELECT count(DISTINCT approval) FROM moments WHERE moments.seq = transcripts.seq),
           receipts = (SELECT count(DISTINCT receipt) FROM moments WHERE moments.seq = transcripts.seq)
         WHERE seq = ?`,
      ).run(
        ...[indexed, bytes, durationMs, ended.how, ended.words, stopped, damaged],
        ...[fromLine + lines.length, complete ? 1 : 0, seq],
      );
    });
  }

  remove(seq: number): void {
    this.#aside?.settle(seq);
    this.together(() => {
      this.#removeLines(seq, 0);
      for (const table of ['moments', 'snapshots', 'transcripts'])
        this.#sql(`DELETE FROM ${table} WHERE seq = ?`).run(seq);
    });
  }

  /** One transaction; inside another it is part of that. */
  together(work: () => void): void {
    if (this.#database.isTransaction) {
      work();
      return;
    }
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      // Some failures have ended it already.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Blocks begin where lines were stored together, and never hold some that stay and some that go. */
  #removeLines(seq: number, from: number): void {
    const [first, last] = blocksOf(seq);
    const found = this.#sql('SELECT block FROM blocks WHERE block BETWEEN ? AND ? AND first_line >= ?');
    for (const { block } of found.all(first, last, from)) {
      this.#sql('DELETE FROM grams WHERE rowid = ?').run(block ?? null);
      this.#sql('DELETE FROM blocks WHERE block = ?').run(block ?? null);
    }
  }

  #addLines(seq: number, fromLine: number, lines: readonly FinalLine[]): void {
    const [first, last] = blocksOf(seq);
    const newest = this.#sql('SELECT max(block) AS block FROM blocks WHERE block BETWEEN ? AND ?').get(
      first,
      last,
    );
    let block = newest?.['block'] === null ? first : Number(newest?.['block']) + 1;
    for (let at = 0; at < lines.length && block <= last; block++) {
      const part = lines.slice(at, at + blockLength(lines, at));
      const text = part.map((line) => line.text).join('\n');
      this.#sql('INSERT INTO blocks (block, first_line, lines, times, text) VALUES (?, ?, ?, ?, ?)').run(
        ...[block, fromLine + at, part.length, packTimes(part), packText(text)],
      );
      this.#sql('INSERT INTO grams (rowid, words) VALUES (?, ?)').run(block, gramsOf(text));
      at += part.length;
    }
  }

  #addSnapshot(seq: number, { position, atUs, size, lines, open, screen }: StoredSnapshot): void {
    this.#sql(
      `INSERT OR REPLACE INTO snapshots (seq, position, at_us, cols, rows, lines, open, screen)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      ...[seq, position, atUs, size.cols, size.rows, lines],
      ...[open === null ? null : JSON.stringify(open), packText(screen)],
    );
  }

  #addMoment(seq: number, { position, moment }: StoredMoment): void {
    const approval = 'approvalId' in moment ? moment.approvalId : null;
    const receipt = 'receiptId' in moment ? moment.receiptId : null;
    this.#sql('INSERT OR REPLACE INTO moments VALUES (?, ?, ?, ?, ?, ?)').run(
      ...[seq, position, moment.atMs, approval, receipt, JSON.stringify(moment)],
    );
  }
}

/** Numbers of the first and the last block that a transcript may have. */
export function blocksOf(seq: number): [first: number, last: number] {
  return [seq * BLOCKS, (seq + 1) * BLOCKS - 1];
}

export function snapshotOfRow(row: Record<string, unknown>): StoredSnapshot {
  return {
    position: Number(row['position']),
    atUs: Number(row['at_us']),
    size: { cols: Number(row['cols']), rows: Number(row['rows']) },
    lines: Number(row['lines']),
    open: row['open'] === null ? null : (JSON.parse(String(row['open'])) as OpenLine),
    screen: unpackText(row['screen'] as Uint8Array),
  };
}

function blockLength(lines: readonly FinalLine[], from: number): number {
  let chars = 0;
  let at = from;
  while (at < lines.length && at - from < TEXT_BLOCK.lines && chars < TEXT_BLOCK.chars) {
    chars += (lines[at]?.text.length ?? 0) + 1;
    at += 1;
  }
  return at - from;
}
