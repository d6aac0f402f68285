import { expect, it } from 'vitest';
import { counted, formatBytes } from './format.ts';

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
