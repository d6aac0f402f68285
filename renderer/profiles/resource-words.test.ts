import { expect, it } from 'vitest';
import { ageWords, isImageName, machineWords, pullWords } from './resource-words.ts';

const NOW = Date.UTC(2026, 0, 31);
const HOUR = 3_600_000;

it.each([
  [0, 'just now'],
  [59_000, 'just now'],
  [60_000, '1 minute ago'],
  [5 * HOUR, '5 hours ago'],
  [47 * HOUR, '1 day ago'],
  [40 * 24 * HOUR, '1 month ago'],
  [800 * 24 * HOUR, '2 years ago'],
  // A clock that is ahead.
  [-HOUR, 'just now'],
])('of %d milliseconds ago says %s', (ago, words) => {
  expect(ageWords(NOW - ago, NOW)).toBe(words);
});

it('says how a machine stands, and what the server does not tell', () => {
  const machine = {
    name: 'dev',
    state: 'stopped' as const,
    image: 'debian:12',
    cpus: 1,
    memoryMiB: 1536,
    network: false,
    mounts: [],
    unsupported: null,
    session: 'none' as const,
    unresolved: null,
  };
  expect(machineWords(machine)).toBe('stopped · debian:12 · 1 CPU · 1.5 GiB · no network');
  const silent = {
    ...machine,
    state: 'other' as const,
    image: null,
    cpus: null,
    memoryMiB: null,
    network: null,
  };
  expect(machineWords(silent)).toBe('in an unknown state · network unknown');
});

it('says how far a pull is', () => {
  expect(pullWords(null)).toBe('Asking the daemon…');
  expect(pullWords({ text: 'Waiting', doneBytes: 0, totalBytes: null })).toBe('Waiting');
  expect(pullWords({ text: 'Downloading', doneBytes: 1024, totalBytes: 2048 })).toBe(
    'Downloading · 1 KiB of 2 KiB',
  );
});

it('knows what can be asked of a registry', () => {
  for (const name of ['alpine', 'alpine:3.20', 'docker.io/library/debian:12', 'a@sha256:00'])
    expect(isImageName(name)).toBe(true);
  for (const name of ['', 'Alpine', '-rf', 'a b', 'a\u202eb', `a${'b'.repeat(255)}`])
    expect(isImageName(name)).toBe(false);
});
