import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { isOfDeadProcess, mayBeAlive, thisProcess } from './host-process.ts';

const own = thisProcess();

it('ST-26 a process of this machine is dead when its number is another’s, or the machine has started again', () => {
  expect(mayBeAlive(own)).toBe(true);
  expect(mayBeAlive({ ...own, startTime: '1' })).toBe(false);
  expect(mayBeAlive({ ...own, bootId: 'before' })).toBe(false);
});

it.runIf(existsSync('/etc/machine-id'))(
  'ST-25 nothing is said of a process of another machine with this one’s name',
  () => {
    for (const machine of [hostname(), `${hostname()} 0123456789abcdef`])
      expect(mayBeAlive({ ...own, machine, bootId: 'another' })).toBe(true);
  },
);

it('ST-25 nothing is said of a process that cannot be read', () => {
  expect(isOfDeadProcess(JSON.stringify({ ...own, startTime: '1' }))).toBe(true);
  for (const text of ['', '{', '{}', JSON.stringify({ ...own, startTime: '1', pid: 0 })])
    expect(isOfDeadProcess(text)).toBe(false);
});
