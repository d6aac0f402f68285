import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LIST, TEXT_LINES_MAX } from '../../../../shared/transcripts/limits.ts';
import { type Moment, momentSchema } from '../../../../shared/transcripts/moment.ts';
import {
  type TextLine,
  type TranscriptFilters,
  type TranscriptSummary,
  transcriptSummarySchema,
} from '../../../../shared/transcripts/transcript.ts';
import { BLOCKS } from '../index/index-file.ts';
import { blocksOf, type StoredSnapshot, snapshotOfRow } from '../index/index-store.ts';
import { unpackText, unpackTimes } from '../index/packed.ts';
import { preparedStatements } from '../index/prepared-statements.ts';

/** A transcript and its number in the index. */
export interface Entry {
  readonly seq: number;
  readonly summary: TranscriptSummary;
  readonly lines: number;
}

/** Bytes that may be unread without a transcript counting as not searched yet. */
const BEHIND_BYTES = 64 * 1024;

type Row = Record<string, unknown>;

/** What an open index says. Reads only. */
export class IndexReader {
  readonly #sql: (text: string) => StatementSync;

  constructor(database: DatabaseSync) {
    this.#sql = preparedStatements(database);
  }

  find(id: string): Entry | null {
    const row = this.#sql('SELECT * FROM transcripts WHERE id = ?').get(id);
    return row === undefined ? null : entryOf(row);
  }

  entry(seq: number): Entry | null {
    const row = this.#sql('SELECT * FROM transcripts WHERE seq = ?').get(seq);
    return row === undefined ? null : entryOf(row);
  }

  /** Numbers of the transcripts that pass, newest first. */
  passing(filters: TranscriptFilters): number[] {
    const { where, values } = conditionsOf(filters);
    return this.#sql(`SELECT seq FROM transcripts ${where} ORDER BY started_ms DESC, seq DESC`)
      .all(...values)
      .map(({ seq }) => Number(seq));
  }

  kept(): { count: number; bytes: number; indexing: number } {
    const row = this.#sql(
      `SELECT count(*) AS count, total(bytes) AS bytes,
         total(complete = 0 AND bytes - indexed > CASE indexed WHEN 0 THEN 0 ELSE ${BEHIND_BYTES} END) AS indexing
       FROM transcripts`,
    ).get();
    return {
      count: Number(row?.['count']),
      bytes: Number(row?.['bytes']),
      indexing: Number(row?.['indexing']),
    };
  }

  /** Blocks that hold these words, by transcript, in order. */
  candidates(words: string): Map<number, number[]> {
    // Letters and digits only, so that nothing in it means anything to FTS5.
    const query = words
      .split(' ')
      .map((word) => `"${word}"`)
      .join(' ');
    const found = new Map<number, number[]>();
    for (const { rowid } of this.#sql('SELECT rowid FROM grams WHERE grams MATCH ? ORDER BY rowid').all(
      query,
    )) {
      const block = Number(rowid);
      const seq = Math.floor(block / BLOCKS);
      const blocks = found.get(seq);
      if (blocks === undefined) found.set(seq, [block]);
      else blocks.push(block);
    }
    return found;
  }

  blocks(seq: number): number[] {
    const [first, last] = blocksOf(seq);
    return this.#sql('SELECT block FROM blocks WHERE block BETWEEN ? AND ? ORDER BY block')
      .all(first, last)
      .map(({ block }) => Number(block));
  }

  /** The text of a block, and how to number and time its lines. Null when it was replaced meanwhile. */
  block(block: number): { text: string; firstLine: number; times: () => number[] } | null {
    const row = this.#sql('SELECT first_line, times, text FROM blocks WHERE block = ?').get(block);
    if (row === undefined) return null;
    return {
      text: unpackText(row['text'] as Uint8Array),
      firstLine: Number(row['first_line']),
      times: () => unpackTimes(row['times'] as Uint8Array),
    };
  }

  text(seq: number, from: number, count: number): TextLine[] {
    const wanted = Math.min(count, TEXT_LINES_MAX);
    const [first, last] = blocksOf(seq);
    const rows = this.#sql(
      `SELECT first_line, times, text FROM blocks
       WHERE block BETWEEN ? AND ? AND first_line + lines > ? AND first_line < ? ORDER BY block`,
    ).all(first, last, from, from + wanted);
    return rows.flatMap((row) => linesOfRow(row)).filter(({ line }) => line >= from && line < from + wanted);
  }

  snapshotAt(seq: number, atMs: number): StoredSnapshot | null {
    const row = this.#sql(
      'SELECT * FROM snapshots WHERE seq = ? AND at_us <= ? ORDER BY position DESC LIMIT 1',
    ).get(seq, Math.floor(atMs * 1_000));
    return row === undefined ? null : snapshotOfRow(row);
  }

  /** The first and the last `max / 2` of more. */
  moments(seq: number, max: number): Moment[] {
    // Not all of them at once: there may be millions.
    return this.#sql(
      `WITH edges AS (
         SELECT * FROM (SELECT position FROM moments WHERE seq = :seq ORDER BY position LIMIT :half)
         UNION
         SELECT * FROM (SELECT position FROM moments WHERE seq = :seq ORDER BY position DESC LIMIT :half)
       )
       SELECT moment FROM edges JOIN moments USING (position) WHERE seq = :seq ORDER BY position`,
    )
      .all({ seq, half: Math.floor(max / 2) })
      .flatMap(momentOfRow);
  }

  momentsBy(column: 'approval' | 'receipt', id: string): { transcriptId: string; moment: Moment }[] {
    return this.#sql(
      `SELECT transcripts.id, moment FROM moments JOIN transcripts USING (seq) WHERE ${column} = ?
       ORDER BY started_ms, position LIMIT ${LIST.pageMax}`,
    )
      .all(id)
      .flatMap((row) => momentOfRow(row).map((moment) => ({ transcriptId: String(row['id']), moment })));
  }

  /** What rules of keeping look at, oldest first. */
  everything(): Entry[] {
    return this.#sql('SELECT * FROM transcripts ORDER BY started_ms, seq').all().map(entryOf);
  }
}

export function linesOf(text: string, firstLine: number, times: readonly number[]): TextLine[] {
  return text.split('\n').map((line, index) => ({
    line: firstLine + index,
    atMs: times[index] ?? 0,
    text: line,
  }));
}

function linesOfRow(row: Row): TextLine[] {
  const times = unpackTimes(row['times'] as Uint8Array);
  return linesOf(unpackText(row['text'] as Uint8Array), Number(row['first_line']), times);
}

function momentOfRow(row: Row): Moment[] {
  const moment = momentSchema.safeParse(JSON.parse(String(row['moment']))).data;
  return moment === undefined ? [] : [moment];
}

function entryOf(row: Row): Entry {
  const [bytes, indexed] = [Number(row['bytes']), Number(row['indexed'])];
  const summary = transcriptSummarySchema.parse({
    id: row['id'],
    kind: row['kind'],
    title: row['title'],
    profileId: row['profile'],
    engine: row['engine'],
    product: row['product'],
    startedAt: row['started'],
    durationMs: row['duration_ms'],
    size: { cols: row['cols'], rows: row['rows'] },
    bytes,
    ended: { how: row['ended'], words: row['ended_words'] },
    stopped: row['stopped'],
    approvals: row['approvals'],
    receipts: row['receipts'],
    indexed: row['complete'] === 1 || bytes === 0 ? 1 : Math.min(1, indexed / bytes),
  });
  return { seq: Number(row['seq']), summary, lines: Number(row['lines']) };
}

function conditionsOf(filters: TranscriptFilters): { where: string; values: (string | number)[] } {
  const { from, to, profileId, engine, kind, ended, withApprovals, withReceipts } = filters;
  const values: (string | number)[] = [];
  const conditions: string[] = [];
  const add = (condition: string, value: string | number | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  add('started_ms >= ?', timeOf(from));
  add('started_ms < ?', timeOf(to));
  add('profile = ?', profileId);
  add('engine = ?', engine);
  add('kind = ?', kind);
  add('ended = ?', ended);
  if (withApprovals !== undefined) conditions.push(withApprovals ? 'approvals > 0' : 'approvals = 0');
  if (withReceipts !== undefined) conditions.push(withReceipts ? 'receipts > 0' : 'receipts = 0');
  return { where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values };
}

/** What is no date limits nothing. */
function timeOf(date: string | undefined): number | undefined {
  const ms = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(ms) ? undefined : ms;
}
