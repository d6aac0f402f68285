import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shimFailure, startOrder } from './start.ts';

describe('a program that could not be started', () => {
  it.each([
    [127, 'setsid: failed to execute nope: No such file or directory', 'No such file or directory'],
    [126, 'setsid: failed to execute /etc: Permission denied', 'Permission denied'],
    [127, 'setsid: a:b konnte nicht ausgeführt werden: Datei nicht gefunden', 'Datei nicht gefunden'],
  ])('is told by code %i and "%s"', (code, words, reason) => {
    expect(shimFailure(code, words)).toBe(reason);
  });

  it.each([
    [1, 'setsid: failed to execute nope: No such file or directory'],
    [127, 'bash: nope: command not found'],
    [127, ''],
    [0, 'setsid: x: y'],
  ])('is not one that ran and ended with %i and "%s"', (code, words) => {
    expect(shimFailure(code, words)).toBeNull();
  });
});

describe('the order to start', () => {
  const obey = (order: string) =>
    spawnSync('/bin/sh', ['-c', 'eval "$order"', 'sh', '/usr/bin/env', '-0'], {
      env: { order },
      timeout: 10_000,
    }).stdout;

  it.each(["it's", "'; exit 3; '", 'a\nb\n', '$HOME `id` \\ "', 'ü😀', '', "'''"])(
    'gives the program %j as it is',
    (value) => {
      expect(
        obey(startOrder({ VALUE: value }))
          .toString()
          .split('\0'),
      ).toContain(`VALUE=${value}`);
    },
  );

  it('does nothing unless it came whole', () => {
    const order = startOrder({ A: "it's", B: 'two\nlines' });
    const parts = Array.from(order.trimEnd(), (_, length) => order.slice(0, length));
    expect(parts.filter((part) => obey(part).length > 0)).toEqual([]);
    expect(obey(order).length).toBeGreaterThan(0);
  });
});
