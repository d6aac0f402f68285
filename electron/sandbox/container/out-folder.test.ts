import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { thisProcess } from '../host-process.ts';
import { createOutFolder, removeLeftOutFolders, removeOutFolder } from './out-folder.ts';

const base = mkdtempSync(join(tmpdir(), 'airlock-out-'));
afterAll(() => rmSync(base, { recursive: true }));

/** Of the one who runs this, so that they may write it. */
const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, namespace: '', sameOnHost: true };

it('what a program left is removed: closed folders, and folders in folders beyond the length of a path', async () => {
  const path = createOutFolder(base, 'session', user);
  mkdirSync(join(path, 'closed'));
  writeFileSync(join(path, 'closed/file'), 'x');
  chmodSync(join(path, 'closed'), 0);
  const nest = '$n = "n" x 200; for (1 .. 30) { mkdir $n or die $!; chdir $n or die $! }';
  execFileSync('/usr/bin/perl', ['-e', nest], { cwd: path });
  expect(await removeOutFolder(base, 'session')).toBeNull();
  expect(readdirSync(base)).toEqual([]);
});

it('what is not there is removed already', async () => {
  expect(await removeOutFolder(base, 'another')).toBeNull();
});

it('ST-26 what dead hosts left is removed, and nothing of a living one', async () => {
  const [living, dead] = ['living', 'dead'].map((session) => createOutFolder(base, session, user));
  writeFileSync(`${dead}.host`, JSON.stringify({ ...thisProcess(), startTime: '1' }));
  // It had only just begun.
  const begun = join(base, 'begun');
  writeFileSync(`${begun}.host`, JSON.stringify({ ...thisProcess(), startTime: '1' }));
  await removeLeftOutFolders(base);
  expect([living, dead, `${dead}.host`, `${begun}.host`].map((path) => existsSync(path ?? ''))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  await removeOutFolder(base, 'living');
  expect(readdirSync(base)).toEqual([]);
});
