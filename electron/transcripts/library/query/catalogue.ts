import { join } from 'node:path';
import { LIST, MOMENTS_MAX, READ_MAX_BYTES, SEARCH_MS } from '../../../../shared/transcripts/limits.ts';
import type { Moment } from '../../../../shared/transcripts/moment.ts';
import type {
  ListPlace,
  OpenedTranscript,
  ReplayEvent,
  RetentionPreview,
  Snapshot,
  TextLine,
  TranscriptFilters,
  TranscriptSummary,
} from '../../../../shared/transcripts/transcript.ts';
import type { CastEvent } from '../../cast/events.ts';
import { readEvents } from '../../cast/reader.ts';
import { fold } from '../index/fold.ts';
import { gramsOfSearch } from '../index/grams.ts';
import { previewRetention, type RetentionRules } from '../retention.ts';
import { replaySize } from '../terminal/replay-terminal.ts';
import { type Entry, type IndexReader, linesOf } from './index-reader.ts';
import { lookIntoRaw } from './raw-search.ts';
import { linesWith, lookIntoText, type Page, searchPage } from './search.ts';

export interface ListQuery {
  readonly search: string;
  readonly raw: boolean;
  readonly filters: TranscriptFilters;
  readonly from?: ListPlace | undefined;
  readonly limit: number;
}

export interface Listed extends Page {
  readonly kept: { readonly count: number; readonly bytes: number };
  readonly indexing: number;
}

/** What the audit log says of a transcript. */
export type Described = Pick<TranscriptSummary, 'id' | 'bytes' | 'startedAt'>;

/** Lines that stepping through the hits of one transcript gets. */
const FOUND_MAX = 1_000;
/** Places whose time is remembered. */
const TIMES_MAX = 256;

/** Answers about transcripts, from the index and from their files. Null: there is no such transcript. */
export class Catalogue {
  readonly #reader: IndexReader;
  readonly #folder: string;
  /** Times of places that were given out: a reader asks for what follows them, and need not look for them. */
  readonly #times = new Map<string, number>();

  constructor(reader: IndexReader, folder: string) {
    this.#reader = reader;
    this.#folder = folder;
  }

  /** A page is what was found in `scanMs`, where nothing tells beforehand what to look at. */
  list(query: ListQuery, scanMs: number = SEARCH_MS.scanning): Listed {
    const { indexing, ...kept } = this.#reader.kept();
    return { ...this.#page(query, scanMs), kept, indexing };
  }

  open(id: string): OpenedTranscript | null {
    const entry = this.#reader.find(id);
    if (entry === null) return null;
    const moments = this.#reader.moments(entry.seq, MOMENTS_MAX);
    return { ...entry.summary, moments, textLines: entry.lines };
  }

  seek(id: string, atMs: number): Snapshot | null {
    const entry = this.#reader.find(id);
    if (entry === null) return null;
    const found = this.#reader.snapshotAt(entry.seq, atMs);
    if (found === null) return { atMs: 0, position: 0, size: replaySize(entry.summary.size), screen: '' };
    const { atUs, position, size, screen } = found;
    this.#remember(id, position, atUs);
    return { atMs: atUs / 1_000, position, size, screen };
  }

  read(id: string, position: number): { events: ReplayEvent[]; next: number | null; end: number } | null {
    if (this.#reader.find(id) === null) return null;
    const events: ReplayEvent[] = [];
    let bytes = 0;
    let [end, endUs] = [position, 0];
    const atUs = this.#times.get(`${id} ${position}`);
    for (const event of readEvents(join(this.#folder, id), {
      from: position,
      ...(atUs !== undefined && { atUs }),
    })) {
      const replayed = replayEventOf(event);
      bytes += replayed === null ? 0 : Buffer.byteLength(JSON.stringify(replayed)) + 1;
      if (bytes > READ_MAX_BYTES && events.length > 0) {
        this.#remember(id, end, endUs);
        return { events, next: end, end };
      }
      if (replayed !== null) events.push(replayed);
      [end, endUs] = [event.end, event.atUs];
    }
    if (end > position) this.#remember(id, end, endUs);
    return { events, next: null, end };
  }

  text(id: string, from: number, count: number): { lines: TextLine[]; total: number } | null {
    const entry = this.#reader.find(id);
    if (entry === null) return null;
    return { lines: this.#reader.text(entry.seq, from, count), total: entry.lines };
  }

  /** Every line of one transcript that holds `search`, as far as FOUND_MAX and time go. */
  find(id: string, search: string): { hits: TextLine[]; more: boolean } | null {
    const end = performance.now() + SEARCH_MS.scanning;
    const entry = this.#reader.find(id);
    if (entry === null) return null;
    const folded = fold(search);
    const words = gramsOfSearch(search);
    const blocks =
      words === null ? this.#reader.blocks(entry.seq) : (this.#reader.candidates(words).get(entry.seq) ?? []);
    const hits: TextLine[] = [];
    for (const number of blocks) {
      if (performance.now() >= end) return { hits, more: true };
      const block = this.#reader.block(number);
      if (block === null) continue;
      const found = linesWith(block.text, folded);
      if (found.length === 0) continue;
      const lines = linesOf(block.text, block.firstLine, block.times());
      for (const { index } of found) {
        if (hits.length === FOUND_MAX) return { hits, more: true };
        const line = lines[index];
        if (line !== undefined) hits.push(line);
      }
    }
    return { hits, more: false };
  }

  moments(of: { sessionId: string } | { approvalId: string } | { receiptId: string }): {
    transcriptId: string;
    moment: Moment;
  }[] {
    if ('approvalId' in of) return this.#reader.momentsBy('approval', of.approvalId);
    if ('receiptId' in of) return this.#reader.momentsBy('receipt', of.receiptId);
    const entry = this.#reader.find(of.sessionId);
    if (entry === null) return [];
    const moments = this.#reader.moments(entry.seq, MOMENTS_MAX);
    return moments.map((moment) => ({ transcriptId: of.sessionId, moment }));
  }

  /** Each once; null when one of them is unknown. */
  describe(named: readonly string[]): Described[] | null {
    const ids = [...new Set(named)];
    const found = ids.flatMap((id) => this.#reader.find(id)?.summary ?? []);
    if (found.length !== ids.length) return null;
    return found.map(({ id, bytes, startedAt }) => ({ id, bytes, startedAt }));
  }

  /** What the rules would delete now. */
  retention(rules: RetentionRules, nowMs: number): RetentionPreview {
    return previewRetention(this.everything(), rules, nowMs);
  }

  /** Every transcript, oldest first. */
  everything(): TranscriptSummary[] {
    return this.#reader.everything().map(({ summary }) => summary);
  }

  #remember(id: string, position: number, atUs: number): void {
    const [oldest] = this.#times.keys();
    if (this.#times.size >= TIMES_MAX && oldest !== undefined) this.#times.delete(oldest);
    this.#times.set(`${id} ${position}`, atUs);
  }

  #page({ search, raw, filters, from, limit }: ListQuery, scanMs: number): Page {
    const passing = this.#reader.passing(filters);
    const first = from === undefined ? null : this.#reader.find(from.id);
    if (search === '') return this.#plainPage(passing, first, limit);
    const begin = first === null ? null : { seq: first.seq, within: from?.within ?? 0 };
    const page = { from: begin, limit, scanMs };
    if (raw) {
      const look = lookIntoRaw((seq) => this.#folderOf(seq), search);
      return searchPage(this.#reader, look, { ...page, order: passing });
    }
    const { look, only } = lookIntoText(this.#reader, search);
    const order = only === null ? passing : passing.filter((seq) => only.has(seq) || seq === first?.seq);
    return searchPage(this.#reader, look, { ...page, order });
  }

  #plainPage(passing: readonly number[], first: Entry | null, limit: number): Page {
    const start = first === null ? 0 : Math.max(0, passing.indexOf(first.seq));
    const shown = passing.slice(start, start + Math.min(limit, LIST.pageMax));
    const transcripts = shown.flatMap((seq) => {
      const entry = this.#reader.entry(seq);
      return entry === null ? [] : [{ ...entry.summary, hits: [], hitCount: 0 }];
    });
    const following = passing[start + shown.length];
    const entry = following === undefined ? null : this.#reader.entry(following);
    const next = entry === null ? null : { id: entry.summary.id, within: 0 };
    return { transcripts, total: passing.length, hitCount: 0, next, counted: true };
  }

  #folderOf(seq: number): string | null {
    const entry = this.#reader.entry(seq);
    return entry === null ? null : join(this.#folder, entry.summary.id);
  }
}

function replayEventOf(event: CastEvent): ReplayEvent | null {
  const { atMs } = event;
  switch (event.kind) {
    case 'output':
      return event.bytes === null
        ? { kind: 'output', atMs, text: event.text }
        : { kind: 'output-bytes', atMs, base64: Buffer.from(event.bytes).toString('base64') };
    case 'input':
      return { kind: 'input', atMs, text: event.text };
    case 'resize':
      return { kind: 'resize', atMs, size: replaySize(event.size) };
    case 'moment':
      return { kind: 'moment', atMs, moment: event.moment };
    default:
      return null;
  }
}
