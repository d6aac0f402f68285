import { expect, it } from 'vitest';
import { parseApprovalTimeout } from './wait-time.ts';

it.each([
  ['1', 1_000],
  ['120', 120_000],
  ['3600', 3_600_000],
  ['3601', null],
  ['0', null],
  ['-1', null],
  ['1.5', null],
  ['1e2', null],
  ['', null],
  [' 5', null],
])('A5 --approval-timeout %j is %s ms', (text, milliseconds) => {
  expect(parseApprovalTimeout(text)).toBe(milliseconds);
});
