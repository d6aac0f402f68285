import { expect, it } from 'vitest';
import { tokenOf } from './websocket-carrier.ts';

it.each([
  ['#token=abc_-9', 'abc_-9'],
  ['#other=1&token=abc', 'abc'],
  ['', null],
  ['#', null],
  ['#abc', null],
])('tokenOf(%j) is %j', (hash, token) => {
  expect(tokenOf(hash)).toBe(token);
});
