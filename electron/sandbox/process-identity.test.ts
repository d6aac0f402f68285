import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { describe, expect, it, vi } from 'vitest';
import { checkIdentity, identify, isGone, parseProcessStat, signalExactly } from './process-identity.ts';

const STAT =
  '4242 (cat) S 4200 4242 4200 34816 4250 4194304 79 0 0 0 0 0 0 0 20 0 1 0 126749 2703360 273 18446744073709551615';

describe('parseProcessStat', () => {
  it('reads the numbers that identify a process', () => {
    expect(parseProcessStat(STAT)).toEqual({
      pid: 4242,
      state: 'S',
      parent: 4200,
      group: 4242,
      foregroundGroup: 4250,
      startTime: '126749',
    });
  });

  it.each(['a b', ')', ') Z 1 2 3 4 5', '(x) R 1', '\n'])('is not misled by the name %j', (name) => {
    expect(parseProcessStat(STAT.replace('cat', name))).toEqual(parseProcessStat(STAT));
  });

  it.each(['', 'nonsense', '12 (cat', '12 (cat) S 1'])('gives null for %j', (text) => {
    expect(parseProcessStat(text)).toBeNull();
  });
});

describe('ST-25 an identity', () => {
  const own = identify(process.pid);
  if (!own) throw new Error('This process has no identity.');

  it('matches the process it was taken from', () => {
    expect(checkIdentity(own)).toBe('running');
  });

  it('with another start time is a mismatch, and is not signalled', () => {
    const reused = { ...own, startTime: `${own.startTime}0` };
    expect(checkIdentity(reused)).toBe('mismatch');
    // It would end this very process.
    expect(signalExactly(reused, 'SIGKILL')).toBe('mismatch');
  });

  it('from before a reboot is gone, and is not signalled', () => {
    const before = { ...own, bootId: '00000000-0000-0000-0000-000000000000' };
    expect(signalExactly(before, 'SIGKILL')).toBe('gone');
  });

  it('that cannot be looked at is not gone, and is not signalled', () => {
    const full = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    const read = vi.spyOn(fs, 'readFileSync').mockImplementation(() => {
      throw full;
    });
    syncBuiltinESMExports();
    try {
      expect(checkIdentity(own)).toBe('unknown');
      expect(isGone(own)).toBe(false);
      expect(signalExactly(own, 'SIGKILL')).toBe('unknown');
      expect(() => identify(process.pid)).toThrow('too many open files');
    } finally {
      read.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('of a number that nothing has is gone', () => {
    expect(signalExactly({ ...own, pid: 2 ** 30 }, 'SIGKILL')).toBe('gone');
  });
});
