import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OUT_FILES_LISTED_MAX } from '../../shared/governed/limits.ts';
import { listOutFiles } from './out-files.ts';
import { Workbench } from './testing/workbench.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
  mkdirSync(bench.path('out'));
});
afterEach(() => bench.end());

it('lists files below /out, and says of each why it cannot be published', async () => {
  bench.write('out/b/c', 'xyz');
  bench.write('out/a', '');
  symlinkSync('/etc', bench.path('out/etc'));
  linkSync(bench.write('secret', 'x'), bench.path('out/hard'));
  truncateSync(bench.write('out/huge', ''), 2 ** 31);
  execFileSync('mkfifo', [bench.path('out/pipe')]);
  const { files, more } = await listOutFiles(bench.out);
  expect(files.map(({ path, bytes, refused }) => [path, bytes, refused])).toEqual([
    ['a', 0, null],
    ['b/c', 3, null],
    ['etc', 4, 'This is a link. Publish the file that it names.'],
    ['hard', 1, 'This file has more than one name. Publish a copy of it.'],
    ['huge', 2 ** 31, 'This file is too large to publish.'],
    ['pipe', 0, 'This is not a plain file.'],
  ]);
  expect(more).toBe(0);
});

it('is bounded in number, and does not go down without end', async () => {
  for (let i = 0; i < OUT_FILES_LISTED_MAX + 7; i++) bench.write(`out/f${i}`, '');
  bench.write(`out/${'d/'.repeat(40)}deep`, '');
  const { files, more } = await listOutFiles(bench.out);
  expect([files.length, more]).toEqual([OUT_FILES_LISTED_MAX, 7]);
});

it('does not follow a link in place of /out', async () => {
  symlinkSync('/etc', bench.path('link'));
  await expect(listOutFiles({ ...bench.out, path: bench.path('link') })).rejects.toThrow();
});
