import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EXCHANGE, PIECE_MAX_BYTES } from '../../../shared/transcripts/limits.ts';
import type { ExportReport, Redaction } from '../../../shared/transcripts/transcript.ts';
import { eventually } from '../../connection/testing/eventually.ts';
import { TestHost } from '../../connection/testing/test-host.ts';
import { MemoryEngine } from '../../session/testing/memory-sandbox.ts';
import { readEvents } from '../cast/reader.ts';
import { importInThread } from './exchange-thread.ts';
import { Exchanges } from './exchanges.ts';
import { IMPORTING } from './import/make-import.ts';
import { RECORDING_ID, writeRecording } from './testing/recordings.ts';

let root: string;
let folder: string;
let scratchFolder: string;
let exchanges: Exchanges;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'airlock-exchanges-'));
  folder = join(root, 'transcripts');
  scratchFolder = join(root, 'exchange');
  exchanges = new Exchanges({ folder, scratchFolder });
});
afterEach(async () => {
  await exchanges.close();
  rmSync(root, { recursive: true });
});

const wish = (redactions: Redaction[] = []) =>
  ({ id: RECORDING_ID, format: 'cast', redactions, withInput: false }) as const;
const record = (...steps: string[]) => writeRecording(join(folder, RECORDING_ID), steps);

async function exported(redactions: Redaction[] = []): Promise<ExportReport> {
  const made = await exchanges.export(wish(redactions));
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

async function read({ exportId }: ExportReport): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (let offset = 0; ; ) {
    const piece = await exchanges.piece(exportId, offset);
    if (!piece.ok) throw new Error(piece.error.message);
    if (piece.value.length === 0) return Buffer.concat(pieces);
    pieces.push(piece.value);
    offset += piece.value.length;
  }
}

it('gives up what takes too long, and has room for the next', async () => {
  record('a'.repeat(4_000));
  const hasty = new Exchanges({ folder, scratchFolder: join(root, 'hasty'), deadlineMs: 20 });
  const costly = Array.from({ length: 32 }, () => ({ kind: 'pattern', pattern: '(?i)\\w{1,131}x' }) as const);
  for (let time = 0; time <= EXCHANGE.threads; time += 1) {
    expect(await hasty.export(wish(costly))).toMatchObject({
      ok: false,
      error: { message: 'The export was given up after 0.02 s. Fewer or simpler patterns take less.' },
    });
  }
  await hasty.close();
});

describe('an export that takes long', () => {
  const costly = Array.from({ length: 32 }, () => ({ kind: 'pattern', pattern: '(?i)\\w{1,131}x' }) as const);
  const exportId = randomUUID();

  it('ends when it is cancelled, and leaves no file', async () => {
    record(...Array.from({ length: 40 }, () => 'a'.repeat(40_000)));
    const making = exchanges.export({ ...wish(costly), exportId });
    await eventually(() => expect(exchanges.progress(exportId)).toMatchObject({ ok: true }));
    await exchanges.cancel(exportId);
    expect(await making).toMatchObject({ ok: false, error: { tag: 'export-cancelled' } });
    expect(exchanges.progress(exportId)).toMatchObject({ error: { tag: 'export-unknown' } });
    expect(await exchanges.piece(exportId, 0)).toMatchObject({ error: { tag: 'export-unknown' } });
    expect(readdirSync(scratchFolder)).toEqual([]);
    // There is room for as many as before.
    await Promise.all(Array.from({ length: EXCHANGE.threads }, () => exported()));
  });

  it('says how far it is', async () => {
    record(...Array.from({ length: 400 }, (_, line) => `${line} ${'x'.repeat(2_000)}\r\n`.repeat(10)));
    const made = exchanges.export({ ...wish([{ kind: 'pattern', pattern: 'y\\d+' }]), exportId });
    const shares: number[] = [];
    await vi.waitFor(
      () => {
        const done = exchanges.progress(exportId);
        if (done.ok) shares.push(done.value.share);
        expect(new Set(shares).size).toBeGreaterThan(3);
      },
      { timeout: 20_000, interval: 20 },
    );
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(await made).toMatchObject({ ok: true });
  });

  it('ends with the client that wants it', async () => {
    const fixture = new TestHost(new MemoryEngine());
    const data = join(fixture.dataDir, 'transcripts', RECORDING_ID);
    try {
      writeRecording(
        data,
        Array.from({ length: 40 }, () => 'a'.repeat(40_000)),
      );
      const client = await fixture.client();
      const making = client.request('transcripts.export', { ...wish(costly), redactions: costly, exportId });
      await eventually(async () =>
        expect(await client.request('transcripts.progress', { exportId })).toMatchObject({ ok: true }),
      );
      client.close();
      await expect(making).rejects.toThrow('ended before');
      const other = await fixture.client();
      await eventually(async () =>
        expect(await other.request('transcripts.progress', { exportId })).toMatchObject({
          error: { tag: 'export-unknown' },
        }),
      );
      expect(readdirSync(join(fixture.dataDir, 'exchange'))).toEqual([]);
    } finally {
      await fixture.dispose();
    }
  });
});

function piecesOf(file: Buffer, fileName = 'foreign.cast') {
  const importId = randomUUID();
  const count = Math.ceil(file.length / PIECE_MAX_BYTES);
  return Array.from({ length: count }, (_, index) => {
    const offset = index * PIECE_MAX_BYTES;
    const bytes = file.subarray(offset, offset + PIECE_MAX_BYTES);
    return { importId, fileName, offset, bytes, last: index === count - 1 };
  });
}

describe('an export', () => {
  it('is read in pieces, and imported again it plays the same', async () => {
    record(...Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(10_000)}\r\n`));
    const report = await exported();
    const file = await read(report);
    expect(file.length).toBe(report.bytes);
    expect(file.length).toBeGreaterThan(PIECE_MAX_BYTES);
    expect(readdirSync(scratchFolder)).toEqual([`export-${report.exportId}`]);
    let made: Awaited<ReturnType<Exchanges['import']>> | undefined;
    for (const piece of piecesOf(file)) made = await exchanges.import(piece);
    const id = made?.ok ? made.value?.id : undefined;
    const texts = (one: string) =>
      [...readEvents(join(folder, one))].flatMap((event) => (event.kind === 'output' ? [event.text] : []));
    expect(texts(id ?? '')).toEqual(texts(RECORDING_ID));
    await exchanges.close();
    expect(readdirSync(scratchFolder)).toEqual([]);
    expect(await exchanges.piece(report.exportId, 0)).toMatchObject({ error: { tag: 'export-unknown' } });
  });

  it('does not hold the host up', async () => {
    record(...Array.from({ length: 20 }, () => `${'password hunter2 and some more text\r\n'.repeat(1_000)}`));
    const before = [process.threadCpuUsage(), process.cpuUsage()] as const;
    const { removedCount } = await exported([{ kind: 'pattern', pattern: 'hunter\\d' }]);
    expect(removedCount).toBe(20_000);
    // What the host's thread computed meanwhile, and all of them: time that a machine which does other things takes is in neither.
    const [own, all] = [process.threadCpuUsage(before[0]), process.cpuUsage(before[1])];
    expect(own.user + own.system).toBeLessThan((all.user + all.system) / 10);
  });

  it.each([
    ['another id', { ...wish(), id: randomUUID() }, 'transcript-unknown', /no such transcript/],
    ['what is no pattern', wish([{ kind: 'pattern', pattern: 'a{2' }]), 'redaction-invalid', /“a\{2”.*: \S/],
  ])('of %s is refused', async (_, of, tag, message) => {
    record('one');
    const made = await exchanges.export(of);
    expect(made).toMatchObject({ ok: false, error: { tag, message: expect.stringMatching(message) } });
  });

  it('is one of few at once', async () => {
    record('one');
    const all = await Promise.all(
      Array.from({ length: EXCHANGE.threads + 1 }, () => exchanges.export(wish())),
    );
    expect(all.filter(({ ok }) => ok)).toHaveLength(EXCHANGE.threads);
    expect(all.find(({ ok }) => !ok)).toMatchObject({ error: { tag: 'too-many-requests' } });
  });
});

describe('an import', () => {
  it('of a wrong file, or in another order, leaves nothing', async () => {
    const [piece] = piecesOf(Buffer.from('{"version": 3, "term": {"cols": 1, "rows": 1}}\n[-1, "o", ""]\n'));
    if (piece === undefined) throw new Error('no piece');
    expect(await exchanges.import(piece)).toMatchObject({
      ok: false,
      error: { tag: 'import-invalid', message: expect.stringMatching(/^Line 2: /) },
    });
    expect(await exchanges.import({ ...piece, offset: 7 })).toMatchObject({ ok: false });
    expect(await exchanges.import({ ...piece, last: false })).toEqual({ ok: true, value: null });
    expect(await exchanges.import({ ...piece, offset: 1 })).toMatchObject({ ok: false });
    expect(readdirSync(scratchFolder)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that is stopped on its way leaves nothing', async () => {
    const path = join(root, 'foreign.cast');
    const events = '[0.001, "o", "x"]\n'.repeat(1_000_000);
    writeFileSync(path, `{"version": 3, "term": {"cols": 80, "rows": 24}}\n${events}`);
    const stop = new AbortController();
    const plan = { path, fileName: 'foreign.cast', id: randomUUID(), folder };
    const made = importInThread(plan, stop.signal);
    await eventually(() => expect(readdirSync(folder)).toEqual([`${IMPORTING}${plan.id}`]));
    stop.abort();
    await expect(made).rejects.toThrow('It was stopped.');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that takes too long is given up, and not for its patterns', async () => {
    const hasty = new Exchanges({ folder, scratchFolder: join(root, 'hasty'), deadlineMs: 1 });
    const [piece] = piecesOf(Buffer.from('{"version": 3, "term": {"cols": 1, "rows": 1}}\n'));
    if (piece === undefined) throw new Error('no piece');
    expect(await hasty.import(piece)).toMatchObject({
      ok: false,
      error: { message: 'The import was given up after 0.001 s. A shorter recording takes less.' },
    });
    await hasty.close();
  });
});

it('through a host: what was exported and is imported can be opened at once', async () => {
  const fixture = new TestHost(new MemoryEngine());
  try {
    writeRecording(join(fixture.dataDir, 'transcripts', RECORDING_ID), ['one sk_abc\r\n']);
    const client = await fixture.client();
    const made = await client.request('transcripts.export', {
      ...wish([{ kind: 'pattern', pattern: 'sk_\\w+' }]),
      format: 'cast',
    });
    if (!made.ok) throw new Error(made.error.message);
    const { exportId } = made.value;
    const piece = await client.request('transcripts.piece', { exportId, offset: 0 });
    if (!piece.ok) throw new Error(piece.error.message);
    const end = await client.request('transcripts.piece', { exportId, offset: made.value.bytes });
    expect(end).toEqual({ ok: true, value: { base64: '' } });
    const imported = await client.request('transcripts.import', {
      ...{ importId: randomUUID(), fileName: 'copy.cast', offset: 0, last: true },
      base64: piece.value.base64,
    });
    if (!imported.ok || imported.value.transcript === null) throw new Error('not imported');
    const { id } = imported.value.transcript;
    const opened = await client.request('transcripts.open', { id });
    expect(opened).toMatchObject({ ok: true, value: { id, kind: 'imported', title: 'work' } });
    expect(await client.request('transcripts.read', { id, position: 0 })).toMatchObject({
      value: { events: [{ kind: 'output', text: 'one ██████\r\n' }] },
    });
  } finally {
    await fixture.dispose();
  }
  expect(fixture.faults).toEqual([]);
});
