import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  LIBRARY_SCAN_MS,
  MARKERS_INDEXED_MAX,
  MOMENTS_MAX,
  SEARCH_MS,
} from '../../../shared/transcripts/limits.ts';
import type { ListPlace } from '../../../shared/transcripts/transcript.ts';
import { indexPath, openIndexToRead } from './index/index-file.ts';
import { claimRecording, releaseRecording } from './index/recording-host.ts';
import { lookIntoRaw } from './query/raw-search.ts';
import { LibraryBench, query } from './testing/library-bench.ts';
import { EXITED } from './testing/recordings.ts';

const APPROVAL = '11111111-1111-4111-8111-111111111111';
const RECEIPT = '22222222-2222-4222-8222-222222222222';

let bench: LibraryBench;
beforeEach(() => {
  bench = new LibraryBench();
});
afterEach(() => {
  expect(bench.faults).toEqual([]);
  bench.dispose();
});

describe('the list', () => {
  it('is newest first, in pages, with what was kept', async () => {
    const ids = [1, 2, 3, 4, 5].map((day) =>
      bench.add([`day ${day}\r\n`], { startedAt: `2026-05-0${day}T00:00:00Z` }),
    );
    const catalogue = await bench.indexed();
    const first = catalogue.list(query({ limit: 2 }));
    expect(first.transcripts.map(({ id }) => id)).toEqual([ids[4], ids[3]]);
    expect(first).toMatchObject({ total: 5, next: { id: ids[2] }, indexing: 0, kept: { count: 5 } });
    const last = catalogue.list(query({ limit: 3, from: first.next ?? undefined }));
    expect(last.transcripts.map(({ id }) => id)).toEqual([ids[2], ids[1], ids[0]]);
    expect(last.next).toBeNull();
  });

  it('says of each what its recording says', async () => {
    const stopped = {
      kind: 'recording-stopped',
      label: 'Recording stopped',
      why: 'The disk is full.',
    } as const;
    const id = bench.add(['x', { waitMs: 2_500 }, { moment: stopped }], {
      title: 'psql',
      facts: { kind: 'governed', profileId: 'db' },
      ending: { ...EXITED, outcome: { kind: 'signalled', signal: 9, name: 'SIGKILL' } },
    });
    const catalogue = await bench.indexed();
    expect(catalogue.open(id)).toMatchObject({
      ...{ id, title: 'psql', kind: 'governed', profileId: 'db', engine: 'bubblewrap' },
      ended: { how: 'signal', words: 'Ended by SIGKILL (signal 9).' },
      ...{ startedAt: '2026-05-01T10:00:00.000Z', stopped: 'The disk is full.', indexed: 1, textLines: 1 },
      size: { cols: 80, rows: 24 },
      moments: [{ kind: 'recording-stopped', atMs: 2_502 }],
    });
    expect(catalogue.open(id)?.durationMs).toBeCloseTo(2_503);
  });

  it('says what an engine ran on where the recording does, and nothing of an older one that does not', async () => {
    const named = bench.add(['x'], { facts: { engine: 'container', product: 'gVisor in Docker' } });
    const older = bench.add(['x'], { facts: { engine: 'container' } });
    const catalogue = await bench.indexed();
    expect(catalogue.open(named)).toMatchObject({ engine: 'container', product: 'gVisor in Docker' });
    expect(catalogue.open(older)).toMatchObject({ engine: 'container', product: null });
  });

  it('describes what is to be deleted once, however often it is named', async () => {
    const id = bench.add(['x']);
    const catalogue = await bench.indexed();
    expect(catalogue.describe([id, id])).toMatchObject([{ id }]);
    expect(catalogue.describe([id, id])).toHaveLength(1);
    expect(catalogue.describe([id, 'none'])).toBeNull();
  });

  it('passes filters', async () => {
    const plain = bench.add(['x'], { startedAt: '2026-05-01T00:00:00Z' });
    const asked = bench.add(
      [{ moment: { kind: 'approval-requested', approvalId: APPROVAL, label: 'Asked' } }],
      { startedAt: '2026-05-02T00:00:00Z', facts: { kind: 'governed', profileId: 'db' } },
    );
    const failed = bench.add(['x'], {
      startedAt: '2026-05-03T00:00:00Z',
      ending: { ...EXITED, outcome: { kind: 'exited', code: 2 } },
    });
    const catalogue = await bench.indexed();
    const found = (filters: object) => catalogue.list(query({ filters })).transcripts.map(({ id }) => id);
    expect(found({ from: '2026-05-02', to: '2026-05-03' })).toEqual([asked]);
    expect(found({ profileId: 'db' })).toEqual([asked]);
    expect(found({ kind: 'shell' })).toEqual([failed, plain]);
    expect(found({ ended: 'failure' })).toEqual([failed]);
    expect(found({ withApprovals: true })).toEqual([asked]);
    expect(found({ withReceipts: false, engine: 'bubblewrap' })).toHaveLength(3);
    expect(found({ engine: 'container' })).toEqual([]);
  });
});

describe('searching', () => {
  it('finds lines as a terminal shows them, with place, time and context (B21)', async () => {
    const id = bench.add([
      '$ make\r\n',
      { waitMs: 500 },
      '10%\r\x1b[K55%\r\x1b[K100% Done\r\n',
      `${'x'.repeat(300)} NEEDLE ${'y'.repeat(300)}`,
    ]);
    const catalogue = await bench.indexed();
    const [found] = catalogue.list(query({ search: '% done' })).transcripts;
    expect(found).toMatchObject({ id, hitCount: 1 });
    expect(found?.hits).toEqual([{ atMs: 502, line: 1, text: '100% Done', matches: [{ start: 3, end: 9 }] }]);
    expect(catalogue.list(query({ search: '55%' })).total).toBe(0);
    expect(catalogue.list(query({ search: '55%', raw: true })).transcripts[0]?.hits).toMatchObject([
      { line: null, atMs: 502 },
    ]);
    const [long] = catalogue.list(query({ search: 'needle' })).transcripts[0]?.hits ?? [];
    expect(long?.text.length).toBeLessThanOrEqual(200);
    expect(long?.text.slice(long.matches[0]?.start, long.matches[0]?.end)).toBe('NEEDLE');
  });

  it.each([
    ['syntax of FTS5', 'a "quoted" AND NOT b* NEAR(c) ^d:e', '"quoted" AND NOT b* NEAR(c) ^d:'],
    ['two letters', 'only zq here', 'zq'],
    ['one letter', 'µ', 'µ'],
    ['two characters of Chinese', '出现错误。', '错误'],
    ['other letters without case', 'ÄRGER ΣΟΦΟΣ', 'ärger σοφο'],
    ['text behind NUL (B17)', 'a\0hidden', 'ahidden'],
    ['a percent sign and an underscore', '100%_x', '%_'],
  ])('finds %s', async (_name, output, search) => {
    const id = bench.add([output, '\r\n']);
    bench.add(['something else\r\n']);
    const catalogue = await bench.indexed();
    expect(catalogue.list(query({ search })).transcripts.map((found) => found.id)).toEqual([id]);
    expect(catalogue.find(id, search)?.hits).toHaveLength(1);
  });

  it('finds text around bytes that are not UTF-8 once, and replays those bytes (B02)', async () => {
    const bytes = Buffer.from('ok\xff\xfe\xc0\x80ok2\n', 'latin1');
    const id = bench.add([bytes]);
    bench.add(['something else\r\n']);
    const catalogue = await bench.indexed();
    expect(catalogue.list(query({})).total).toBe(2);
    for (const raw of [false, true])
      expect(catalogue.list(query({ search: 'ok2', raw }))).toMatchObject({ total: 1, hitCount: 1 });
    expect(catalogue.read(id, 0)?.events).toMatchObject([
      { kind: 'output-bytes', base64: bytes.toString('base64') },
    ]);
  });

  it.each(['\n', '\none', 'one\n'])('finds no line that holds a line end (%j)', async (search) => {
    const id = bench.add(['one\r\ntwo\r\n\r\none\r\n']);
    const catalogue = await bench.indexed();
    expect(catalogue.list(query({ search })).total).toBe(0);
    expect(catalogue.find(id, search)?.hits).toEqual([]);
  });

  it('pages and counts what it finds', async () => {
    const ids = Array.from({ length: 7 }, (_, n) =>
      bench.add([n % 2 === 0 ? 'needle\r\nneedle\r\n' : 'hay\r\n'], {
        startedAt: `2026-05-0${n + 1}T00:00:00Z`,
      }),
    );
    const catalogue = await bench.indexed();
    const first = catalogue.list(query({ search: 'needle', limit: 3 }));
    expect(first.transcripts.map(({ id }) => id)).toEqual([ids[6], ids[4], ids[2]]);
    expect(first).toMatchObject({ total: 4, hitCount: 8, next: { id: ids[0] }, counted: true });
    const last = catalogue.list(query({ search: 'needle', limit: 3, from: first.next ?? undefined }));
    expect(last.transcripts.map(({ id }) => id)).toEqual([ids[0]]);
    expect(last).toMatchObject({ total: 4, hitCount: 8, next: null });
  });

  it('looks at the time within one event of the raw record too', () => {
    const id = bench.add([], { ending: null });
    const line = `[0.1, "o", ${JSON.stringify('x'.repeat(3_500_000))}]\n`;
    appendFileSync(join(bench.folder, id, '0001.cast'), line.repeat(3));
    const look = lookIntoRaw(() => join(bench.folder, id), 'x');
    const began = performance.now();
    const late = look(1, Number.POSITIVE_INFINITY, began + 100, 0);
    expect(performance.now() - began).toBeLessThan(1_500);
    expect(late.whole).toBe(false);
    expect(late.hitCount).toBeLessThan(3 * 3_500_000);
    expect(look(1, 7, Number.POSITIVE_INFINITY, 0)).toMatchObject({ hitCount: 7, whole: false });
    const border = lookIntoRaw(() => join(bench.folder, id), 'x'.repeat(200));
    expect(border(1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0)).toMatchObject({
      ...{ hitCount: (3 * 3_500_000) / 200, whole: true },
    });
  });

  it.each([
    ['the raw record', true, 'needle'],
    ['text, of which the index cannot tell', false, '§'],
  ])(
    'of %s that is more than there is time for goes on with the next page, and reaches all of it',
    async (_name, raw, search) => {
      const hay = Array.from({ length: 40 }, (_, n) => `${n} hay\r\n`.repeat(1_000));
      const old = bench.add([...hay, 'a nee', 'dle §\r\n', ...hay], { startedAt: '2026-05-01T00:00:00Z' });
      for (const day of [2, 3]) bench.add(hay, { startedAt: `2026-05-0${day}T00:00:00Z` });
      const catalogue = await bench.indexed();
      const clock = vi.spyOn(performance, 'now');
      let now = 0;
      // A page has the time of twenty looks at the clock.
      clock.mockImplementation(() => (now += SEARCH_MS.scanning / 20));
      const pages = [];
      for (let from: ListPlace | undefined; pages.length < 100; ) {
        const page = catalogue.list(query({ search, raw, from }));
        pages.push(page);
        if (page.next === null) break;
        from = page.next;
      }
      const whole = catalogue.list(query({ search, raw }), Number.POSITIVE_INFINITY);
      clock.mockRestore();
      expect(pages.length).toBeGreaterThan(3);
      expect(pages[0]).toMatchObject({ transcripts: [], total: 0, counted: false });
      for (const found of [pages.flatMap(({ transcripts }) => transcripts), whole.transcripts])
        expect(found.map(({ id }) => id)).toEqual([old]);
      expect(whole.next).toBeNull();
    },
  );

  it('finds what lies across two recorded events in the raw record', async () => {
    const id = bench.add(['\x1b[8mpass', 'word\x1b[0m\x1b[2K\r']);
    const catalogue = await bench.indexed();
    expect(
      catalogue.list(query({ search: 'PASSWORD', raw: true })).transcripts.map((found) => found.id),
    ).toEqual([id]);
    expect(catalogue.list(query({ search: 'password' })).total).toBe(0);
  });

  it('steps through the lines of one transcript', async () => {
    const id = bench.add(Array.from({ length: 3_000 }, (_, n) => `${n % 3 === 0 ? 'hit' : 'miss'} ${n}\r\n`));
    const catalogue = await bench.indexed();
    const found = catalogue.find(id, 'HIT');
    expect(found).toMatchObject({ more: false });
    expect(found?.hits).toHaveLength(1_000);
    expect(found?.hits[999]).toMatchObject({ line: 2_997, text: 'hit 2997' });
    // What came within 50 milliseconds counts as one.
    expect(found?.hits[999]?.atMs).toBeGreaterThanOrEqual(2_998);
    expect(found?.hits[999]?.atMs).toBeLessThanOrEqual(3_048);
    expect(catalogue.text(id, 2_999, 10)).toEqual({
      lines: [{ line: 2_999, atMs: 3_000, text: 'miss 2999' }],
      total: 3_000,
    });
  });

  it('gives the hits in one transcript that it came to in time, and says that there may be more', async () => {
    const id = bench.add(
      Array.from({ length: 4_500 }, (_, n) => `${n % 10 === 0 ? 'hit' : 'miss'} ${n}\r\n`),
    );
    const catalogue = await bench.indexed();
    const clock = vi.spyOn(performance, 'now');
    // Each look at the clock finds it half the time later: the first block is in time, the third is not.
    let now = 0;
    clock.mockImplementation(() => (now += SEARCH_MS.scanning / 2));
    const found = catalogue.find(id, 'hit');
    clock.mockRestore();
    expect(found?.more).toBe(true);
    expect(found?.hits.length).toBeGreaterThan(0);
    expect(found?.hits.length).toBeLessThan(catalogue.find(id, 'hit')?.hits.length ?? 0);
  });
});

describe('moments', () => {
  it('lead from a request, a receipt and a session to each other', async () => {
    const publication = { publicationId: APPROVAL, receiptId: RECEIPT, path: '/out/x', label: 'Published' };
    const id = bench.add([
      { moment: { kind: 'approval-requested', approvalId: APPROVAL, label: 'Asked' } },
      { moment: { kind: 'approval-decided', approvalId: APPROVAL, outcome: 'approved', label: 'Approved' } },
      { moment: { kind: 'publication', ...publication } },
    ]);
    const catalogue = await bench.indexed();
    expect(catalogue.moments({ approvalId: APPROVAL })).toMatchObject([
      { transcriptId: id, moment: { kind: 'approval-requested', atMs: 1 } },
      { transcriptId: id, moment: { kind: 'approval-decided', atMs: 2 } },
    ]);
    expect(catalogue.moments({ receiptId: RECEIPT })).toMatchObject([{ moment: { kind: 'publication' } }]);
    expect(catalogue.moments({ sessionId: id })).toHaveLength(3);
    expect(catalogue.moments({ sessionId: 'none' })).toEqual([]);
    expect(catalogue.open(id)).toMatchObject({ approvals: 1, receipts: 1 });
  });

  it('of a flood of markers a bounded number is kept, and everything that Airlock itself says', async () => {
    const id = bench.add([], { ending: null });
    const file = join(bench.folder, id, '0001.cast');
    appendFileSync(file, '[0.001, "m", "x"]\n'.repeat(MARKERS_INDEXED_MAX + 5));
    const decided = { kind: 'approval-requested', approvalId: APPROVAL, label: 'Asked', atMs: 0 };
    appendFileSync(file, `[0, "m", "Asked"]\n[0, "a", ${JSON.stringify(JSON.stringify(decided))}]\n`);
    await bench.indexed();
    const { database } = openIndexToRead(bench.folder);
    const kept = database.prepare('SELECT count(*) AS count, count(approval) AS asked FROM moments').get();
    database.close();
    expect(kept).toEqual({ count: MARKERS_INDEXED_MAX + 1, asked: 1 });
  });

  it('of more than a timeline gets, the first and the last ones are there', async () => {
    const labels = Array.from({ length: MOMENTS_MAX + 3 }, (_, n) => `m${n}`);
    const id = bench.add(labels.map((label) => ({ moment: { kind: 'marker', label } })));
    const catalogue = await bench.indexed();
    const half = MOMENTS_MAX / 2;
    const shown = [...labels.slice(0, half), ...labels.slice(-half)];
    expect(catalogue.open(id)?.moments.map(({ label }) => label)).toEqual(shown);
  });
});

describe('recovery', () => {
  it('a recording without an end whose host is gone is interrupted, and its torn last line is lost alone', async () => {
    const id = bench.add(['before\r\n', 'also before\r\n'], { ending: null });
    const file = join(bench.folder, id, '0001.cast');
    appendFileSync(file, '[0.5, "o", "torn');
    makeOld(join(bench.folder, id));
    const catalogue = await bench.indexed();
    expect(catalogue.open(id)).toMatchObject({ ended: { how: 'interrupted' }, indexed: 1, textLines: 2 });
    expect(catalogue.list(query({ search: 'torn' })).total).toBe(0);
  });

  it('an import is never running, however new it is', async () => {
    const id = bench.add(['x\r\n'], { ending: null, facts: { kind: 'imported', engine: null } });
    const keeper = bench.start();
    expect(bench.open().open(id)).toMatchObject({ ended: { how: 'unknown' }, indexed: 0 });
    const catalogue = await bench.indexed();
    expect(catalogue.open(id)).toMatchObject({ ended: { how: 'unknown' }, indexed: 1 });
    expect(keeper.runningOf([id])).toEqual([]);
  });

  it('one that this host writes is running, is found as it grows, and ends', async () => {
    const id = bench.add(['first line\r\n'], { ending: null });
    const file = join(bench.folder, id, '0001.cast');
    const keeper = bench.start();
    const bytes = () => readFileSync(file).length;
    keeper.grew({ id, bytes: bytes(), ended: false });
    let catalogue = await bench.indexed();
    expect(catalogue.open(id)).toMatchObject({ ended: { how: 'running' }, textLines: 1 });
    expect(keeper.runningOf([id])).toEqual([id]);
    const read = catalogue.read(id, 0);
    expect(read).toMatchObject({ events: [{ kind: 'output' }], next: null, end: bytes() });
    appendFileSync(file, '[0.5, "o", "second "]\n[0, "o", "line"]\n');
    keeper.grew({ id, bytes: bytes(), ended: false });
    await keeper.idle();
    expect(catalogue.find(id, 'second line')?.hits).toMatchObject([{ line: 1, atMs: 501 }]);
    expect(catalogue.read(id, read?.end ?? 0)).toEqual({
      events: [
        { kind: 'output', atMs: 501, text: 'second ' },
        { kind: 'output', atMs: 501, text: 'line' },
      ],
      ...{ next: null, end: bytes() },
    });
    appendFileSync(file, '[0, "o", "!\\r\\n"]\n[0, "x", "3"]\n');
    keeper.grew({ id, bytes: bytes(), ended: true });
    await keeper.idle();
    catalogue = bench.open();
    expect(catalogue.find(id, 'second line')?.hits).toMatchObject([{ line: 1, text: 'second line!' }]);
    expect(catalogue.open(id)).toMatchObject({ ended: { how: 'failure', words: 'Exit code 3.' } });
    expect(keeper.runningOf([id])).toEqual([]);
  });

  it('one of another host that ends while it is looked at is looked at to its end', async () => {
    const frames = Array.from({ length: 12_000 }, (_, n) => `\x1b[2;5Hframe ${n}\x1b[K\r\nline ${n}\r\n`);
    const id = bench.add(frames, { ending: null });
    const folder = join(bench.folder, id);
    claimRecording(folder);
    let share = 0;
    const changed = () => {
      if (share > 0) return;
      share = bench.open().open(id)?.indexed ?? 0;
      if (share === 0) return;
      appendFileSync(join(folder, '0001.cast'), '[0.1, "o", "its last line\\r\\n"]\n[0, "x", "3"]\n');
      releaseRecording(folder);
      makeOld(folder);
    };
    bench.start({ snapshotEvery: 64 * 1024, changed });
    const catalogue = await bench.indexed();
    expect(share, 'it ended in the middle of a look').toBeLessThan(1);
    expect(catalogue.open(id)).toMatchObject({
      indexed: 1,
      ended: { how: 'failure', words: 'Exit code 3.' },
    });
    expect(catalogue.find(id, 'its last line')?.hits).toHaveLength(1);
  });

  it.each([1e300, -5.5e14])('a header that says the time %d hides no transcript', async (timestamp) => {
    const id = bench.add(['x\r\n']);
    const file = join(bench.folder, id, '0001.cast');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"timestamp":\d+/, `"timestamp":${timestamp}`));
    const other = bench.add(['y\r\n']);
    const catalogue = await bench.indexed();
    const listed = catalogue.list(query()).transcripts.map((one) => [one.id, one.startedAt !== null]);
    expect(Object.fromEntries(listed)).toEqual({ [id]: false, [other]: true });
  });

  it('counts damaged lines and indexes the others', async () => {
    const id = bench.add(['kept\r\n'], { ending: null });
    appendFileSync(
      join(bench.folder, id, '0001.cast'),
      '[0, "o", broken]\n[0, "o", "after\\r\\n"]\n[0,"x","0"]\n',
    );
    const catalogue = await bench.indexed();
    expect(catalogue.text(id, 0, 9)?.lines.map(({ text }) => text)).toEqual(['kept', 'after']);
  });

  it('an index that is deleted while it is in use is made anew', async () => {
    const id = bench.add(['one\r\n']);
    await bench.indexed();
    for (const suffix of ['', '-wal', '-shm']) rmSync(indexPath(bench.folder) + suffix, { force: true });
    const catalogue = await bench.indexed();
    expect(catalogue.list(query({ search: 'one' })).transcripts.map((found) => found.id)).toEqual([id]);
  });

  it('a damaged index, or one of another version, is made anew', async () => {
    const id = bench.add(['one\r\n']);
    await bench.indexed();
    bench.keeper?.dispose();
    bench.keeper = null;
    truncateSync(indexPath(bench.folder), 10_000);
    writeFileSync(indexPath(bench.folder), Buffer.alloc(10_000, 'no database'));
    const catalogue = await bench.indexed();
    expect(catalogue.list(query({ search: 'one' })).transcripts.map((found) => found.id)).toEqual([id]);
  });

  it('goes on at the last snapshot, with the same text', async () => {
    const lines = Array.from({ length: 60_000 }, (_, n) => `line ${n} of a log that is long enough\r\n`);
    const chunks = Array.from({ length: 300 }, (_, n) => lines.slice(n * 200, n * 200 + 200).join(''));
    const id = bench.add(chunks, { ending: null });
    const keeper = bench.start();
    const file = join(bench.folder, id, '0001.cast');
    keeper.grew({ id, bytes: Math.floor(readFileSync(file).length * 0.8), ended: false });
    await keeper.idle();
    keeper.dispose();
    bench.keeper = null;
    releaseRecording(join(bench.folder, id));
    makeOld(join(bench.folder, id));
    const catalogue = await bench.indexed();
    expect(catalogue.open(id)?.textLines).toBe(60_000);
    for (const n of [0, 12_345, 44_444, 59_999])
      expect(catalogue.text(id, n, 1)?.lines[0]?.text).toBe(`line ${n} of a log that is long enough`);
    expect(catalogue.find(id, 'line 51234 of')?.hits).toHaveLength(1);
    const { position, atMs } = catalogue.seek(id, 200) ?? { position: 0, atMs: 0 };
    expect(position).toBeGreaterThan(0);
    expect(atMs).toBeLessThanOrEqual(200);
    const first = catalogue.read(id, position)?.events[0];
    expect(first?.atMs).toBeGreaterThanOrEqual(atMs);
  });

  it('a host that becomes the keeper follows what it records already', async () => {
    const first = bench.start();
    const second = new LibraryBench(bench.transcripts);
    const id = bench.add(['a needle\r\n'], { ending: null });
    const bytes = readFileSync(join(bench.folder, id, '0001.cast')).length;
    const taking = second.start();
    taking.grew({ id, bytes, ended: false });
    first.dispose();
    const catalogue = await second.indexed();
    expect(catalogue.list(query({ search: 'needle' })).total).toBe(1);
    taking.dispose();
  });

  it('an index that cannot be written is tried again with the next look, not at once', async () => {
    const id = bench.add(['x\r\n'], { ending: null });
    const keeper = bench.start();
    await bench.indexed();
    rmSync(indexPath(bench.folder));
    mkdirSync(indexPath(bench.folder));
    vi.useFakeTimers();
    try {
      keeper.grew({ id, bytes: 1, ended: true });
      vi.advanceTimersByTime(LIBRARY_SCAN_MS / 2);
      expect(bench.faults).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
    bench.faults.length = 0;
  });

  it.each([
    ['a symbolic link', (path: string, outside: string) => symlinkSync(outside, path)],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a pipe', pipe],
  ])(
    '%s in the place of a recording is listed as damaged, is never opened, and can be deleted',
    async (what, make) => {
      const id = bench.add(['x\r\n']);
      const other = bench.add(['other\r\n']);
      const folder = join(bench.folder, id);
      const outside = join(bench.folder, 'outside.cast');
      cpSync(join(folder, '0001.cast'), outside);
      rmSync(join(folder, '0001.cast'));
      make(join(folder, '0001.cast'), outside);
      const catalogue = await bench.indexed();
      const words = `Cannot be read: 0001.cast is ${what}, and no file.`;
      const listed = catalogue.list(query()).transcripts;
      expect(listed.find((one) => one.id === id)).toMatchObject({
        ...{ title: words, bytes: 0, ended: { how: 'unknown', words }, indexed: 1 },
      });
      expect(catalogue.list(query({ search: 'other' })).transcripts.map((one) => one.id)).toEqual([other]);
      expect(catalogue.list(query({ search: 'other', raw: true })).total).toBe(1);
      expect(() => catalogue.read(id, 0)).toThrow(`0001.cast is ${what}, and no file.`);
      expect(bench.keeper?.runningOf([id])).toEqual([]);
      bench.keeper?.remove([id]);
      expect(existsSync(folder)).toBe(false);
      expect(existsSync(outside)).toBe(true);
      expect(catalogue.open(id)).toBeNull();
    },
  );

  it('pipes in the places of the index, its lock and the claim of a host block nobody', async () => {
    const id = bench.add(['a needle\r\n'], { ending: null });
    pipe(join(bench.folder, id, '.host'));
    makeOld(join(bench.folder, id));
    pipe(indexPath(bench.folder));
    pipe(join(bench.folder, 'index.lock'));
    expect(() => openIndexToRead(bench.folder)).toThrow('index.sqlite is no file.');
    const keeper = bench.start();
    const catalogue = await bench.indexed();
    expect(catalogue.list(query({ search: 'needle' })).transcripts).toMatchObject([
      { id, ended: { how: 'interrupted' } },
    ]);
    const bytes = readFileSync(join(bench.folder, id, '0001.cast')).length;
    keeper.grew({ id, bytes, ended: false });
    expect(keeper.runningOf([id])).toEqual([]);
    keeper.grew({ id, bytes, ended: true });
    await keeper.idle();
    expect(existsSync(join(bench.folder, id, '.host'))).toBe(false);
  });

  it('a flood of sizes in a foreign file holds nobody up (B30)', async () => {
    const sizes = ['[0.001, "r", "200x50"]\n[0, "r", "100x30"]\n', '[0, "r", "20x5"]\n[0, "o", "."]\n'];
    const ids = sizes.map((lines) => {
      const id = bench.add([`${'text of a line '.repeat(20)}\r\n`.repeat(600)], { ending: null });
      appendFileSync(
        join(bench.folder, id, '0001.cast'),
        `${lines.repeat(100_000)}[0, "o", "\\r\\nend"]\n[0, "x", "0"]\n`,
      );
      return id;
    });
    ids.push(bench.add(['beside it\r\n']));
    const began = performance.now();
    const catalogue = await bench.indexed();
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(ids.map((id) => catalogue.open(id)?.indexed)).toEqual([1, 1, 1]);
    expect(catalogue.find(ids[1] ?? '', 'end')?.hits).toHaveLength(1);
  }, 60_000);

  it('one that takes for ever holds no other up, and can be deleted meanwhile (B30)', async () => {
    const endless = bench.add(['\x1b[2J'.repeat(250_000)], { size: { cols: 1_000, rows: 400 } });
    const keeper = bench.start();
    const other = bench.add(['needle\r\n']);
    keeper.scan();
    const catalogue = bench.open();
    const isFound = () => catalogue.list(query({ search: 'needle' })).total === 1;
    await vi.waitUntil(isFound, { timeout: 30_000 });
    expect(catalogue.open(other)?.indexed).toBe(1);
    expect(catalogue.open(endless)?.indexed).toBeLessThan(1);
    keeper.remove([endless]);
    await keeper.idle();
    expect(catalogue.list(query()).transcripts.map(({ id }) => id)).toEqual([other]);
  }, 60_000);

  it('what is deleted from the folder is taken out', async () => {
    const id = bench.add(['one\r\n']);
    await bench.indexed();
    rmSync(join(bench.folder, id), { recursive: true });
    const catalogue = await bench.indexed();
    expect(catalogue.list(query()).transcripts).toEqual([]);
    expect(catalogue.open(id)).toBeNull();
  });
});

function pipe(path: string): void {
  expect(spawnSync('mkfifo', [path]).status).toBe(0);
}

/** As of a host that is long gone. */
function makeOld(folder: string): void {
  utimesSync(folder, new Date(0), new Date(0));
}
