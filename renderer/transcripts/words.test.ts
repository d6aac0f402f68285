import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Moment } from '../../shared/transcripts/moment.ts';
import type { TranscriptSummary } from '../../shared/transcripts/transcript.ts';
import { findWords } from './text/FindWithin.tsx';
import { placesOf } from './text/places.ts';
import { nextIndex } from './text/use-find-within.ts';
import {
  clockTime,
  lengthWords,
  momentCounts,
  spokenTime,
  summaryFacts,
  whenAndHowLong,
  whenWords,
} from './transcript-words.ts';
import { EvenRows, offsetsOf, rowAt, visibleRows } from './virtual-rows.ts';

it.each([
  [0, '00:00', '0 seconds'],
  [761_999, '12:41', '12 minutes 41 seconds'],
  [3_723_000, '1:02:03', '1 hour 2 minutes 3 seconds'],
])('%d ms is %s', (ms, shown, spoken) => {
  expect([clockTime(ms), spokenTime(ms)]).toEqual([shown, spoken]);
});

it.each([
  [38_400, '38 s'],
  [660_000, '11 min'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
])('a length of %d ms is "%s"', (ms, words) => {
  expect(lengthWords(ms)).toBe(words);
});

describe('when a transcript was made', () => {
  const now = new Date(2026, 10, 29, 15, 0).getTime();
  it.each([
    [new Date(2026, 10, 29, 14, 2), 'today 14:02'],
    [new Date(2026, 10, 28, 23, 59), 'yesterday 23:59'],
    [new Date(2026, 10, 26, 9, 30), 'Thu 09:30'],
    [new Date(2026, 9, 2, 9, 30), '2 Oct 09:30'],
    [new Date(2025, 9, 2, 9, 30), '2 Oct 2025'],
  ])('%s is "%s"', (date, words) => {
    expect(whenWords(date.toISOString(), now)).toBe(words);
  });

  it('is not known of a file that does not say', () => {
    expect([whenWords(null), whenWords('soon')]).toEqual(['no date', 'no date']);
  });
});

describe('a transcript in a list', () => {
  const summary = (how: 'running' | 'success', indexed: number): TranscriptSummary => ({
    ...{ id: '0d2f6c1a-8d55-4a36-9a3e-0b8f5f1f2a3b', kind: 'shell', title: 'api', profileId: 'shell' },
    ...{
      engine: 'bubblewrap',
      product: null,
      startedAt: null,
      durationMs: 38_000,
      size: { cols: 80, rows: 24 },
      bytes: 1,
    },
    ended: { how, words: how === 'running' ? 'Still running' : 'Exit code 0.' },
    ...{ stopped: null, approvals: 0, receipts: 0, indexed },
  });

  it.each([
    ['runs', summary('running', 1), 'no date · running', ['Bubblewrap', 'Still running']],
    ['has ended', summary('success', 1), 'no date · 38 s', ['Bubblewrap', 'Exit code 0']],
    ['was not read to its end', summary('running', 0.4), 'no date', ['Bubblewrap']],
  ])('that %s says no more than is known', (_name, transcript, when, facts) => {
    expect([whenAndHowLong(transcript), summaryFacts(transcript)]).toEqual([when, facts]);
  });

  it.each([
    ['attach', 'Podman, attached to web-1', 'Podman, attached to web-1'],
    ['container', 'gVisor in Docker', 'gVisor in Docker'],
    ['container', null, 'Container'],
    ['attach', '', 'Running container'],
    ['container', 'D\u202eocker', 'D<U+202E>ocker'],
  ] as const)('on %s as %j names it %j', (engine, product, words) => {
    expect(summaryFacts({ ...summary('success', 1), engine, product })[0]).toBe(words);
  });
});

it('counts decisions and publications of a timeline', () => {
  const id = '0d2f6c1a-8d55-4a36-9a3e-0b8f5f1f2a3b';
  const moments: Moment[] = [
    { kind: 'approval-requested', atMs: 1, label: '', approvalId: id },
    { kind: 'approval-decided', atMs: 2, label: '', approvalId: id, outcome: 'denied' },
    { kind: 'publication', atMs: 3, label: '', publicationId: id, receiptId: null, path: 'a' },
  ];
  expect(momentCounts(moments).map(({ count, words }) => `${count} ${words}`)).toEqual([
    '1 decision',
    '1 failed publication',
  ]);
});

describe('finding within a transcript', () => {
  const hits = [100, 200, 300].map((atMs, line) => ({ line, atMs, text: '' }));
  it.each([
    ['next', 0, 0, 1],
    ['next', 2, 0, 0],
    ['previous', 0, 0, 2],
    ['next', -1, 150, 1],
    ['previous', -1, 150, 0],
    ['next', -1, 999, 0],
  ] as const)('%s of %d at %d ms is %d', (direction, index, timeMs, next) => {
    expect(nextIndex(hits, index, direction, timeMs)).toBe(next);
  });

  it('says where it is', () => {
    const find = { text: 'x', hits, more: false, index: 1, error: null };
    expect(findWords(find)).toBe('2 of 3');
    expect(findWords({ ...find, more: true })).toBe('2 of 3 and more');
    expect(findWords({ ...find, hits: [] })).toBe('no matches');
  });

  it('marks text as it is, without a pattern and in either case', () => {
    expect(
      placesOf('a.b A.B aXb', 'a.b')
        .filter(({ marked }) => marked)
        .map(({ text }) => text),
    ).toEqual(['a.b', 'A.B']);
  });
});

describe('rows of which only some are in the page', () => {
  const offsets = offsetsOf([50, 20, 20, 58]);

  it.each([
    [0, 0],
    [49.9, 0],
    [50, 1],
    [90, 3],
    [9_999, 3],
  ])('pixel %d is in row %d', (pixel, row) => {
    expect(rowAt(offsets, pixel)).toBe(row);
  });

  it('are those of the view and some beside', () => {
    expect(visibleRows(offsets, 55, 10, 0)).toEqual({ start: 1, end: 2 });
    expect(visibleRows(offsets, 55, 10, 9)).toEqual({ start: 0, end: 4 });
    expect(visibleRows(offsetsOf([]), 0, 100, 5)).toEqual({ start: 0, end: 0 });
  });

  it('each can be scrolled to, however many there are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 50_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (count, share) => {
          const rows = new EvenRows(count, 20);
          const row = Math.floor(share * (count - 40));
          expect(rows.firstRow(rows.topOf(Math.max(0, row), 600), 600)).toBeCloseTo(Math.max(0, row), 1);
          expect(rows.height).toBeLessThanOrEqual(8_000_000);
        },
      ),
    );
  });
});
