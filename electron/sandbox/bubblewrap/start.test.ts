import { describe, expect, it } from 'vitest';
import { shimFailure } from './start.ts';

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
