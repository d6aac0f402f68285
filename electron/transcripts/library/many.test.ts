import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsSchema } from '../../../shared/settings/schema.ts';
import type { ListPlace, TranscriptSummary } from '../../../shared/transcripts/transcript.ts';
import { openIndexToRead, openIndexToWrite } from './index/index-file.ts';
import { IndexStore } from './index/index-store.ts';
import { Catalogue } from './query/catalogue.ts';
import { IndexReader } from './query/index-reader.ts';
import { previewRetention, retentionRules } from './retention.ts';
import { query } from './testing/library-bench.ts';

const COUNT = 10_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
const START_MS = Date.parse('2026-01-01T00:00:00Z');

describe('10,000 transcripts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-many-'));
  let catalogue: Catalogue;

  beforeAll(() => {
    const { database } = openIndexToWrite(folder);
    const store = new IndexStore(database);
    store.together(() => {
      for (let n = 0; n < COUNT; n++) addOne(store, n);
    });
    database.close();
    catalogue = new Catalogue(new IndexReader(openIndexToRead(folder).database), folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are listed page by page, each once, newest first', () => {
    const titles: string[] = [];
    for (let from: ListPlace | null = null; ; ) {
      const page = catalogue.list(
        query({ limit: 100, ...(from !== null && { from }), filters: { profileId: 'p3' } }),
      );
      expect(page).toMatchObject({
        total: COUNT / 10,
        kept: { count: COUNT, bytes: COUNT * 1_000 },
        indexing: 0,
      });
      titles.push(...page.transcripts.map(({ title }) => title));
      from = page.next;
      if (from === null) break;
    }
    expect(titles).toEqual(Array.from({ length: COUNT / 10 }, (_, n) => `shell ${COUNT - 7 - n * 10}`));
  });

  it('are searched: what is rare exactly, what is everywhere in time', () => {
    const rare = catalogue.list(query({ search: 'NUMBER 07' }));
    expect(rare).toMatchObject({ total: 1, hitCount: 1, next: null, counted: true });
    const common = catalogue.list(query({ search: 'command output', limit: 50 }));
    expect(common.transcripts).toHaveLength(50);
    expect(common.transcripts[0]?.title).toBe(`shell ${COUNT - 1}`);
    expect(common.next).not.toBeNull();
    expect(common.counted ? common.total : COUNT).toBe(COUNT);
    const short = catalogue.list(query({ search: 'r', limit: 10 }));
    expect(short.transcripts).toHaveLength(10);
  });

  it('are kept by age and size: the oldest go first', () => {
    const days = (count: number) => ({
      keepDays: count,
      keepDaysOf: { p3: 20_000 },
      totalMiB: 16_384,
      totalMiBOf: {},
    });
    const nowMs = START_MS + COUNT * DAY_MS;
    const old = catalogue.retention(days(COUNT - 100), nowMs);
    expect(old.goes.map(({ title }) => title)).toEqual(
      Array.from({ length: 100 }, (_, n) => n)
        .filter((n) => n % 10 !== 3)
        .map((n) => `shell ${n}`),
    );
    expect(old).toMatchObject({
      bytes: 90_000,
      goes: expect.arrayContaining([expect.objectContaining({ why: 'Older than 9900 days.' })]),
    });
  });
});

describe('rules of keeping', () => {
  const one = (n: number, change: Partial<TranscriptSummary> = {}): TranscriptSummary => ({
    ...{
      id: randomUUID(),
      kind: 'shell',
      title: `${n}`,
      profileId: 'shell',
      engine: 'bubblewrap',
      product: null,
    },
    ...{ startedAt: new Date(START_MS + n * DAY_MS).toISOString(), durationMs: 0, bytes: 10 * 1024 * 1024 },
    ...{ size: { cols: 80, rows: 24 }, ended: { how: 'success', words: '' }, stopped: null },
    ...{ approvals: 0, receipts: 0, indexed: 1, ...change },
  });
  const goes = (all: TranscriptSummary[], rules: object, nowDay: number) =>
    previewRetention(
      all,
      { keepDays: 90, keepDaysOf: {}, totalMiB: 1_000_000, totalMiBOf: {}, ...rules },
      START_MS + nowDay * DAY_MS,
    ).goes.map(({ title, why }) => `${title}: ${why}`);

  it('never take what is running, nor what does not say how old it is', () => {
    const running = one(0, { ended: { how: 'running', words: '' } });
    expect(goes([one(0, { title: 'undated', startedAt: null }), running, one(1)], {}, 1_000)).toEqual([
      '1: Older than 90 days.',
    ]);
  });

  it('count from the end of a session', () => {
    expect(goes([one(0, { durationMs: 20 * DAY_MS })], {}, 100)).toEqual([]);
  });

  it('let a profile say otherwise', () => {
    const all = [one(0, { profileId: 'short' }), one(0)];
    expect(goes(all, { keepDaysOf: { short: 1 } }, 2)).toEqual(['0: Older than 1 day.']);
  });

  it('let a profile have its own space, of which its oldest go', () => {
    const own = { profileId: 'small' };
    const all = [one(0), one(1, own), one(2, own), one(3, { ...own, ended: { how: 'running', words: '' } })];
    const why = 'The transcripts of this profile together are larger than 25 MiB, and this is of the oldest.';
    expect(goes(all, { totalMiBOf: { small: 25, other: 1 } }, 4)).toEqual([`1: ${why}`]);
  });

  it('count what goes for a profile as gone when they look at all together', () => {
    const all = [one(0), one(1, { profileId: 'small' }), one(2)];
    expect(goes(all, { totalMiB: 25, totalMiBOf: { small: 1 } }, 3).map((line) => line[0])).toEqual(['1']);
  });

  it('are those of the settings, and of each profile that has its own', () => {
    const profiles = [
      { id: 'shell', name: 'Shell' },
      { id: 'small', name: 'Small', keepDays: 7, keepMiB: 50 },
    ];
    expect(retentionRules(settingsSchema.parse({ profiles, transcripts: { keepDays: 30 } }))).toEqual({
      ...{ keepDays: 30, totalMiB: 2048 },
      ...{ keepDaysOf: { small: 7 }, totalMiBOf: { small: 50 } },
    });
  });

  it('then take the oldest until the rest fits, and no more', () => {
    const all = [one(0), one(1, { ended: { how: 'running', words: '' } }), one(2), one(3)];
    const why = 'All transcripts together are larger than 25 MiB, and this is of the oldest.';
    expect(goes(all, { totalMiB: 25 }, 4)).toEqual([`0: ${why}`, `2: ${why}`]);
  });
});

function addOne(store: IndexStore, n: number): void {
  const startedMs = START_MS + n * DAY_MS;
  const seq = store.register(
    randomUUID(),
    {
      ...{ kind: 'shell', title: `shell ${n}`, profile: `p${n % 10}`, engine: 'bubblewrap', product: null },
      ...{ started: new Date(startedMs).toISOString(), startedMs, cols: 80, rows: 24, whole: false },
    },
    1_000,
  );
  store.add(seq, {
    progress: {
      ...{ indexed: 1_000, bytes: 1_000, durationMs: 1_000, stopped: null, damaged: 0, complete: true },
      ended: { how: 'success', words: 'Exit code 0.' },
    },
    fromLine: 0,
    lines: [
      { text: '$ command', atMs: 1 },
      { text: `some command output number ${n === 7_777 ? '07' : n % 5 === 0 ? 'five' : 'other'}`, atMs: 2 },
    ],
    snapshot: null,
    moments: [],
  });
}
