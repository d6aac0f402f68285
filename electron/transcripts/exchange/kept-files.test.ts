import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EXCHANGE } from '../../../shared/transcripts/limits.ts';
import { eventually } from '../../connection/testing/eventually.ts';
import { KeptFiles, removeLeftovers } from './kept-files.ts';

let folder: string;
let kept: KeptFiles<null>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  folder = mkdtempSync(join(tmpdir(), 'airlock-kept-'));
  kept = new KeptFiles(folder);
});
afterEach(async () => {
  vi.useRealTimers();
  await kept.close();
  rmSync(folder, { recursive: true });
});

async function add(id: string): Promise<void> {
  const path = await kept.place(id);
  writeFileSync(path, id);
  kept.keep(id, path, null);
}
const names = () => readdirSync(folder).toSorted();

it('a file goes some minutes after it was last used', async () => {
  await add('a');
  await add('b');
  vi.advanceTimersByTime(EXCHANGE.keptMs - 1);
  expect(kept.use('a')).not.toBe(null);
  vi.advanceTimersByTime(1);
  expect(kept.use('b')).toBe(null);
  vi.useRealTimers();
  await eventually(() => expect(names()).toEqual(['a']));
});

it('when there are too many the one that was not used for longest goes', async () => {
  const ids = Array.from({ length: EXCHANGE.kept }, (_, index) => `f${index}`);
  for (const id of ids) await add(id);
  kept.use('f0');
  await add('more');
  vi.useRealTimers();
  await eventually(() => expect(names()).toEqual([...ids.filter((id) => id !== 'f1'), 'more'].toSorted()));
});

it('the end takes all of them', async () => {
  await add('a');
  await kept.close();
  expect(names()).toEqual([]);
});

it('what a killed host left goes when it is a day old', async () => {
  for (const name of ['old-1', 'new-1', 'old-2']) mkdirSync(join(folder, name));
  for (const name of ['old-1', 'old-2']) utimesSync(join(folder, name), 0, 0);
  await removeLeftovers(folder, 'old-1');
  expect(names()).toEqual(['new-1', 'old-2']);
  await removeLeftovers(folder);
  expect(names()).toEqual(['new-1']);
});
