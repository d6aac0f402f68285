import { expect, it } from 'vitest';
import { counted, formatBytes, formatDuration, formatLeft, formatMoment, shortDigest } from './format.ts';

it('writes byte counts in binary units', () => {
  expect([0, 1, 900, 1024, 1536, 1024 ** 3, 5 * 1024 ** 4].map(formatBytes)).toEqual([
    '0 bytes',
    '1 byte',
    '900 bytes',
    '1 KiB',
    '1.5 KiB',
    '1 GiB',
    '5 TiB',
  ]);
});

it('counts in words', () => {
  expect([counted(1, 'line'), counted(2, 'line'), counted(0, 'match', 'matches')]).toEqual([
    '1 line',
    '2 lines',
    '0 matches',
  ]);
});

it('counts down as a clock', () => {
  expect([-5, 0, 1, 7_000, 73_200, 552_000, 3_723_000].map(formatLeft)).toEqual([
    '0:00',
    '0:00',
    '0:01',
    '0:07',
    '1:14',
    '9:12',
    '1:02:03',
  ]);
});

it('says the time, and the day when it is another one', () => {
  const now = new Date(2026, 10, 29, 14, 2).getTime();
  expect(formatMoment(new Date(2026, 10, 29, 9, 5).toISOString(), now)).toBe('09:05');
  expect(formatMoment(new Date(2026, 10, 28, 9, 5).toISOString(), now)).toBe('28 Nov 09:05');
  expect(formatMoment('never', now)).toBe('never');
});

it('measures durations', () => {
  expect([4.4, 99, 120, 1_000, 2_340, 12_400].map(formatDuration)).toEqual([
    '4 ms',
    '99 ms',
    '0.1 s',
    '1 s',
    '2.3 s',
    '12 s',
  ]);
});

it('shortens digests, with and without their algorithm', () => {
  const hex = `4b1e${'0'.repeat(56)}c09a`;
  expect([shortDigest(hex), shortDigest(`sha256:${hex}`), shortDigest('short')]).toEqual([
    '4b1e…c09a',
    '4b1e…c09a',
    'short',
  ]);
});
