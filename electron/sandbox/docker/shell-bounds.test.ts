import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { boundsScript, countsPerNamespace, foundBounds, type WantedBounds } from './shell-bounds.ts';

const WANTED: WantedBounds = {
  ...{ openFiles: 64, fileBytes: 1_000, tasks: 51 },
  ...{ memoryBytes: 134_217_728, cpuPercent: 150, perContainer: true },
};
const LIMITS = (files: number, processes: number) =>
  `Max file size             1024                 1024                 bytes, Max processes             ${processes}                ${processes}                processes, Max open files            ${files}                   ${files}                   files`;

const SHELLS = [['/bin/sh'], ['/bin/busybox', 'sh'], ['/bin/bash', '--posix']].filter(
  ([program]) => process.platform === 'linux' && existsSync(program ?? ''),
);

describe('bounds that a shell sets', () => {
  it.each(SHELLS)('are read back (%s %s)', (program, ...args) => {
    // More than run: it is a bound per user.
    const wanted = { ...WANTED, tasks: 9_000 };
    const script = [
      '_gate_state=ok',
      ...boundsScript(wanted),
      'printf "%s %s" "$_gate_state" "$_gate_said"',
    ].join('\n');
    const said = execFileSync(program ?? '', [...args, '-c', script], { encoding: 'utf8' });
    expect(said).toMatch(/^ok /);
    expect(foundBounds(said.slice(3), wanted)).toMatchObject({
      openFiles: 64,
      fileBytes: 1_024,
      tasks: 9_000,
    });
  });

  it('and those of control groups are believed only where they are what was wanted', () => {
    const limits = LIMITS(64, 51);
    const unbound = { openFiles: 64, fileBytes: 1_024, tasks: 51, memoryBytes: null, cpuPercent: null };
    expect(foundBounds(`51, 134217728, 150000 100000, ${limits}`, WANTED)).toEqual({
      ...{ ...unbound, memoryBytes: 134_217_728, cpuPercent: 150 },
      byControlGroup: true,
    });
    for (const groups of ['-, -, -', 'max, max, max 100000', '19157, 999999999, 100000 100000'])
      expect(foundBounds(`${groups}, ${limits}`, WANTED)).toEqual({ ...unbound, byControlGroup: false });
  });

  it('are none where one that had to be set is not there', () => {
    expect(foundBounds(`-, -, -, ${LIMITS(65, 51)}`, WANTED)).toBeNull();
    expect(foundBounds(`-, -, -, ${LIMITS(64, 50_000)}`, WANTED)).toBeNull();
    expect(foundBounds(`-, -, -, ${LIMITS(64, 51)}`, { ...WANTED, fileBytes: 10 })).toBeNull();
    for (const said of ['', '-, -, -', 'nonsense']) expect(foundBounds(said, WANTED)).toBeNull();
  });

  it('say nothing of processes where a kernel counts those of the whole machine', () => {
    const older = { ...WANTED, perContainer: false };
    expect(boundsScript(older).join()).not.toContain('ulimit -u');
    expect(foundBounds(`-, -, -, ${LIMITS(64, 50_000)}`, older)).toMatchObject({ tasks: null });
    expect(['5.13.9', '4.18.0-1.el8', '', null].map(countsPerNamespace)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(['5.14.0', '6.1.0-18-amd64', '10.0'].map(countsPerNamespace)).toEqual([true, true, true]);
  });
});
