import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CastEncoder, formatHeader } from '../../electron/transcripts/cast/encoder.ts';
import { openIndexToRead } from '../../electron/transcripts/library/index/index-file.ts';
import { IndexKeeper } from '../../electron/transcripts/library/index/index-keeper.ts';
import { Catalogue } from '../../electron/transcripts/library/query/catalogue.ts';
import { IndexReader } from '../../electron/transcripts/library/query/index-reader.ts';
import { ReplayTerminal } from '../../electron/transcripts/library/terminal/replay-terminal.ts';
import { asTerminalOutput, colouredLog } from '../coloured-log.ts';
import { type Row, row } from '../row.ts';
import { percentile } from '../stats.ts';

const INDEX_TARGET = 20e6;
const OPEN_TARGET_MS = 1_000;
const SEEK_TARGET_MS = 200;
const SEARCH_TARGET_MS = 200;
const EVENT_BYTES = 64 * 1024;
/** Between two events: 20 MB/s. */
const EVENT_US = 3_277;

/** What is rare, what is everywhere, what is nowhere, and what a typist has after two letters. */
const SEARCHES = ['7731', 'resolved', 'module graph', 'naïve', 'pkg/42', 'not in there', 'er', '端末'];

/** Indexing, opening and seeking of one large transcript, and searching many. */
export async function transcripts(
  oneBytes: number,
  many: { readonly count: number; readonly bytes: number },
): Promise<Row[]> {
  return [...(await oneLarge(oneBytes)), ...(await manySearched(many.count, many.bytes))];
}

async function oneLarge(bytes: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-bench-'));
  try {
    const id = record(folder, asTerminalOutput(colouredLog(bytes)), '2026-01-01T00:00:00Z');
    const began = performance.now();
    await index(folder);
    const perSecond = (bytes / (performance.now() - began)) * 1_000;
    const name = `a transcript of ${bytes / 1e6} MB`;
    return [
      row(`index ${name}`, {
        airlock: `${(perSecond / 1e6).toFixed(1)} MB/s`,
        target: `≥ ${INDEX_TARGET / 1e6} MB/s`,
        met: perSecond >= INDEX_TARGET,
      }),
      ...opened(folder, id, name),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function opened(folder: string, id: string, name: string): Row[] {
  const began = performance.now();
  const catalogue = openCatalogue(folder);
  const { durationMs = 0 } = catalogue.open(id) ?? {};
  catalogue.text(id, 0, 100);
  show(catalogue, id, 0);
  const openMs = performance.now() - began;
  const seeks = Array.from({ length: 40 }, (_, n) => {
    const start = performance.now();
    show(catalogue, id, (durationMs * ((n * 17) % 40)) / 40);
    return performance.now() - start;
  });
  const p95 = percentile(seeks, 0.95);
  return [
    row(`open ${name}`, {
      airlock: `${openMs.toFixed(0)} ms`,
      target: `< ${OPEN_TARGET_MS} ms`,
      met: openMs < OPEN_TARGET_MS,
    }),
    row(`seek in ${name}, to the screen, p95`, {
      airlock: `${p95.toFixed(0)} ms`,
      target: `< ${SEEK_TARGET_MS} ms`,
      met: p95 < SEEK_TARGET_MS,
    }),
  ];
}

/** Plays from the snapshot to the moment, as the player does. */
function show(catalogue: Catalogue, id: string, atMs: number): void {
  const snapshot = catalogue.seek(id, atMs);
  if (snapshot === null) throw new Error('The transcript is gone.');
  const terminal = new ReplayTerminal(snapshot.size);
  terminal.write(snapshot.screen);
  for (let next: number | null = snapshot.position; next !== null; ) {
    const read: ReturnType<Catalogue['read']> = catalogue.read(id, next);
    for (const event of read?.events ?? [])
      if (event.kind === 'output' && event.atMs <= atMs) terminal.write(event.text);
    next = (read?.events.at(-1)?.atMs ?? 0) > atMs ? null : (read?.next ?? null);
  }
  terminal.dispose();
}

async function manySearched(count: number, bytes: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-bench-'));
  try {
    const log = asTerminalOutput(colouredLog(bytes / count));
    for (let n = 0; n < count; n += 1) {
      const own = Buffer.from(`transcript number ${n * 7 + 731}\r\n`);
      record(folder, Buffer.concat([own, log]), new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString());
    }
    await index(folder);
    const catalogue = openCatalogue(folder);
    const times = SEARCHES.flatMap((search) =>
      Array.from({ length: 5 }, () => {
        const start = performance.now();
        catalogue.list({ search, raw: false, filters: {}, limit: 50 });
        return performance.now() - start;
      }),
    );
    const p95 = percentile(times, 0.95);
    const name = `search ${(bytes / 1e9).toFixed(1)} GB in ${count} transcripts, p95`;
    return [
      row(name, {
        airlock: `${p95.toFixed(0)} ms`,
        reference: `grep -r: ${(await grepMs(folder)).toFixed(0)} ms`,
        target: `< ${SEARCH_TARGET_MS} ms`,
        met: p95 < SEARCH_TARGET_MS,
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of the files that Airlock searches, after they were read once. */
async function grepMs(folder: string): Promise<number> {
  const grep = () =>
    promisify(execFile)('grep', ['-rcF', '--include=*.cast', 'resolved', folder], { maxBuffer: 16e6 });
  await grep();
  const start = performance.now();
  await grep();
  return performance.now() - start;
}

function record(folder: string, output: Buffer, startedAt: string): string {
  const id = randomUUID();
  const encoder = new CastEncoder();
  const timestamp = Date.parse(startedAt) / 1_000;
  const header = formatHeader({ version: 3, term: { cols: 120, rows: 30 }, timestamp, title: 'bench' });
  const lines: Uint8Array[] = [Buffer.from(header)];
  let atUs = 0;
  for (let at = 0; at < output.length; at += EVENT_BYTES) {
    atUs += EVENT_US;
    lines.push(encoder.output(atUs, output.subarray(at, at + EVENT_BYTES)));
  }
  lines.push(encoder.exit(atUs, '0'));
  mkdirSync(join(folder, id));
  writeFileSync(join(folder, id, '0001.cast'), Buffer.concat(lines));
  return id;
}

async function index(folder: string): Promise<void> {
  const keeper = new IndexKeeper({
    folder,
    changed: () => {},
    report: (fault) => {
      throw fault;
    },
  });
  await keeper.idle();
  keeper.dispose();
}

function openCatalogue(folder: string): Catalogue {
  return new Catalogue(new IndexReader(openIndexToRead(folder).database), folder);
}
