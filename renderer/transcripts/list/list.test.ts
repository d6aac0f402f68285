import { describe, expect, it } from 'vitest';
import { ENGINE_NAMES } from '../../../shared/terminal/engine-status.ts';
import type { FoundTranscript } from '../../../shared/transcripts/transcript.ts';
import { type FoundTranscripts, NO_QUERY } from '../../state/transcripts-store.ts';
import { ID, SIZE } from '../testing/memory-transcript.ts';
import { applyFilter, chosenOption, hostFilters, menuFilters } from './filters.ts';
import { foundWords, insteadOfList } from './list-words.ts';
import { hitParts, landingOf, markedParts, resultRows, rowAgain } from './result-rows.ts';

const hit = (atMs: number, line: number | null) => ({ atMs, line, text: 'refused', matches: [] });

function transcript(change: Partial<FoundTranscript> = {}): FoundTranscript {
  return {
    id: ID,
    kind: 'shell',
    title: 'api',
    profileId: 'shell',
    engine: 'bubblewrap',
    product: null,
    startedAt: null,
    durationMs: 1_000,
    size: SIZE,
    bytes: 10,
    ended: { how: 'success', words: 'exited 0' },
    stopped: null,
    approvals: 0,
    receipts: 0,
    indexed: 1,
    hits: [],
    hitCount: 0,
    ...change,
  };
}

function found(change: Partial<FoundTranscripts> = {}): FoundTranscripts {
  return { query: NO_QUERY, transcripts: [], total: 0, hitCount: 0, next: null, indexing: 0, ...change };
}

describe('the rows of a result list', () => {
  const rows = resultRows([transcript({ hits: [hit(700, 5), hit(900, 8)], hitCount: 4 }), transcript()]);

  it('are a transcript, its hits and how many more there are', () => {
    expect(rows.map(({ kind, isLast }) => [kind, isLast])).toEqual([
      ['transcript', false],
      ['hit', false],
      ['hit', false],
      ['more', true],
      ['transcript', true],
    ]);
  });

  it('lead to their hit, a transcript to its first one, and without a hit to its end', () => {
    const landings = rows.map((row) => landingOf(row, 'refused'));
    expect(landings.map(({ atMs, line, search }) => [atMs, line, search])).toEqual([
      [700, 5, 'refused'],
      [700, 5, 'refused'],
      [900, 8, 'refused'],
      [900, 8, 'refused'],
      [null, null, ''],
    ]);
  });
});

describe('the row that keys act on', () => {
  const other = '7c1b3a8f-5e4d-4c2b-8d9e-2f3a4b5c6d7e';
  const before = resultRows([
    transcript({ id: other }),
    transcript({ hits: [hit(700, 5), hit(900, null)], hitCount: 2 }),
  ]);
  const place = (index: number) => ({ key: before[index]?.key, index });

  it('is the same one when the list is asked for anew and it has moved', () => {
    const after = resultRows([
      transcript({ id: ID.replace(/^./, '1') }),
      transcript({ id: other, hits: [hit(100, 1)], hitCount: 3 }),
      transcript({ hits: [hit(701, 5), hit(900, null), hit(950, null)], hitCount: 3 }),
    ]);
    const again = before.map((_, index) => after[rowAgain(after, place(index))]);
    expect(again.map((row) => row?.key)).toEqual(before.map(({ key }) => key));
    expect(again.map((row) => row?.kind)).toEqual(before.map(({ kind }) => kind));
  });

  it('is the one in its place when it is gone, and the last one of a list that is shorter', () => {
    expect(rowAgain(before.slice(1), place(0))).toBe(0);
    expect(rowAgain(before.slice(0, 2), place(3))).toBe(1);
    expect(rowAgain([], place(3))).toBe(0);
  });
});

describe('a marked text', () => {
  it('is marked where it matches', () => {
    expect(markedParts('a refused b', [{ start: 2, end: 9 }])).toEqual([
      { text: 'a ', marked: false },
      { text: 'refused', marked: true },
      { text: ' b', marked: false },
    ]);
  });

  it('loses and repeats nothing of itself, whatever the matches are', () => {
    const matches = [
      { start: 5, end: 3 },
      { start: -2, end: 2 },
      { start: 1, end: 4 },
      { start: 6, end: 99 },
    ];
    expect(
      markedParts('abcdefgh', matches)
        .map(({ text }) => text)
        .join(''),
    ).toBe('abcdefgh');
  });
});

describe('a hit', () => {
  it('is cut around its first match, and marked where it matches again', () => {
    const text = '    a refused b refused c';
    const matches = [
      { start: 16, end: 23 },
      { start: 6, end: 13 },
    ];
    expect(hitParts({ text, matches })).toEqual({
      before: 'a ',
      match: 'refused',
      after: [
        { text: ' b ', marked: false },
        { text: 'refused', marked: true },
        { text: ' c', marked: false },
      ],
    });
  });

  it('without a match inside of its text is all of it', () => {
    expect(hitParts({ text: 'abc', matches: [{ start: 9, end: 12 }] })).toEqual({
      before: '',
      match: '',
      after: [{ text: 'abc', marked: false }],
    });
  });
});

describe('filters', () => {
  const noon = new Date(2026, 10, 29, 12).getTime();
  const filters = menuFilters([{ id: 'online', name: 'Online' }]);
  const filter = (id: string) => filters.find((candidate) => candidate.id === id) as (typeof filters)[number];
  const option = (id: string, name: string) =>
    filter(id).options.find((candidate) => candidate.id === name)?.change ?? {};

  it('say what is chosen', () => {
    const chosen = applyFilter(applyFilter({}, option('date', 'week')), option('profile', 'online'));
    expect(filters.map((each) => chosenOption(each, chosen).label)).toEqual([
      'Last 7 days',
      'Online',
      'Any engine',
      'Any kind',
      'Any ending',
    ]);
  });

  it('name engines as the rest of the product does', () => {
    expect(filter('engine').options.map(({ label }) => label)).toEqual(Object.values(ENGINE_NAMES));
  });

  it('begin at midnight of their first day, which goes on with the days', () => {
    const week = applyFilter({ kind: 'shell' }, option('date', 'week'));
    const day = (date: number) => new Date(2026, 10, date).toISOString();
    expect(hostFilters(week, noon)).toEqual({ kind: 'shell', from: day(23) });
    expect(hostFilters(week, noon + 24 * 3_600_000)).toEqual({ kind: 'shell', from: day(24) });
    expect(hostFilters(option('date', 'older'), noon)).toEqual({ to: new Date(2026, 9, 31).toISOString() });
    expect(hostFilters({ withReceipts: true }, noon)).toEqual({ withReceipts: true });
  });

  it('leave nothing behind when they are taken away', () => {
    const chosen = applyFilter({ withReceipts: true }, option('date', 'older'));
    expect(Object.keys(chosen)).toEqual(['withReceipts', 'date']);
    expect(applyFilter(chosen, filter('date').any.change)).toEqual({ withReceipts: true });
  });
});

describe('what is found, in words', () => {
  const search = { ...NO_QUERY, search: 'x' };
  const next = { id: ID, within: 0 };
  it.each([
    ['nothing where nothing was asked for', found({ total: 4 }), ''],
    ['lines and transcripts', found({ query: search, total: 2, hitCount: 3 }), '3 in 2 transcripts'],
    [
      'that there may be more',
      found({ query: search, total: 40, hitCount: 300, counted: false }),
      '300+ in 40+ transcripts',
    ],
    ['no matches', found({ query: search }), 'no matches'],
    ['no matches when all was looked through', found({ query: search, counted: false }), 'no matches'],
    ['that there was nothing so far', found({ query: search, next, counted: false }), 'nothing so far'],
    ['transcripts', found({ query: { ...NO_QUERY, filters: { kind: 'shell' } }, total: 1 }), '1 transcript'],
  ])('says %s', (_name, list, words) => {
    expect(foundWords(list)).toBe(words);
  });
});

describe('instead of a list', () => {
  const state = { connected: true, found: found(), error: null, kept: { count: 3 } };
  const query = { ...NO_QUERY, search: 'x' };
  it.each([
    ['nothing where there is one', { ...state, found: found({ transcripts: [transcript()] }) }, null],
    ['that there are none yet', { ...state, kept: { count: 0 } }, 'nothing-kept'],
    ['that nothing matches', { ...state, found: found({ query }) }, 'no-match'],
    [
      'that it looks on',
      { ...state, found: found({ query, next: { id: ID, within: 5 }, counted: false }) },
      'looking-on',
    ],
    ['that it is still asked for', { ...state, found: null }, 'waiting'],
    ['why there is none', { ...state, error: 'The index is being rebuilt.' }, 'unavailable'],
    ['that there is no connection', { ...state, connected: false }, 'unavailable'],
  ])('it says %s', (_name, given, kind) => {
    expect(insteadOfList(given)?.kind ?? null).toBe(kind);
  });

  it('a search that finds nothing says what to change', () => {
    const instead = insteadOfList({
      ...state,
      found: found({ query: { ...query, filters: { ended: 'signal' } } }),
    });
    expect(instead).toMatchObject({
      change: [expect.stringContaining('filters'), expect.stringContaining('Raw')],
    });
  });
});
