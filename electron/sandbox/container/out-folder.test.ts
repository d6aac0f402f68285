import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { thisProcess } from '../host-process.ts';
import { createOutFolder, outFolderPath, removeLeftOutFolders, removeOutFolder } from './out-folder.ts';

const base = mkdtempSync(join(tmpdir(), 'airlock-out-'));
afterAll(() => rmSync(base, { recursive: true }));
const place = { base, daemon: 'unix:///run/a.sock' };

/** Of the one who runs this, so that they may write it. */
const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, namespace: '', sameOnHost: true };

it('what a program left is removed: closed folders, and folders in folders beyond the length of a path', async () => {
  const path = createOutFolder(place, 'session', user);
  mkdirSync(join(path, 'closed'));
  writeFileSync(join(path, 'closed/file'), 'x');
  chmodSync(join(path, 'closed'), 0);
  const nest = '$n = "n" x 200; for (1 .. 30) { mkdir $n or die $!; chdir $n or die $! }';
  execFileSync('/usr/bin/perl', ['-e', nest], { cwd: path });
  expect(await removeOutFolder(place, 'session')).toBeNull();
  expect(readdirSync(base)).toEqual([]);
});

it('what is not there is removed already', async () => {
  expect(await removeOutFolder(place, 'another')).toBeNull();
});

/** As if the host that made it had died. */
const leave = (path: string) =>
  writeFileSync(`${path}.host`, JSON.stringify({ ...thisProcess(), startTime: '1' }));

it('ST-26 what dead hosts left with a daemon is removed, and nothing of a living one or of another daemon', async () => {
  const elsewhere = { base, daemon: 'unix:///run/b.sock' };
  const living = createOutFolder(place, 'living', user);
  const dead = createOutFolder(place, 'dead', user);
  const other = createOutFolder(elsewhere, 'dead', user);
  // It had only just begun.
  const begun = outFolderPath(place, 'begun');
  for (const path of [dead, other, begun]) leave(path);
  await removeLeftOutFolders(place);
  const expected = [living, other].flatMap((path) => [basename(path), `${basename(path)}.host`]);
  expect(readdirSync(base).sort()).toEqual(expected.sort());
  await removeOutFolder(place, 'living');
  await removeLeftOutFolders(elsewhere);
  expect(readdirSync(base)).toEqual([]);
});

it('ST-26 a link that takes the place of a folder meanwhile leads no removal out of it', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'airlock-outside-'));
  const path = createOutFolder(place, 'swapped', user);
  const folder = join(path, 'folder');
  mkdirSync(folder);
  for (const file of FILES) for (const each of [outside, folder]) writeFileSync(join(each, file), '');
  leave(path);
  const program = spawn(process.execPath, ['-e', SWAP, folder, outside], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(program, 'exit');
  await once(program.stdout, 'data');
  await removeLeftOutFolders(place);
  await exited;
  expect(readdirSync(outside)).toHaveLength(FILES.length);
  rmSync(outside, { recursive: true });
  await removeOutFolder(place, 'swapped');
  expect(readdirSync(base)).toEqual([]);
});

const FILES = Array.from({ length: 1_000 }, (_, index) => `${index}`);

/** Waits until the removal of a folder has begun, and puts a link to another in its place. */
const SWAP = `
  const { readdirSync, renameSync, symlinkSync } = require('node:fs');
  const [folder, outside] = process.argv.slice(1);
  console.log('ready');
  try {
    while (readdirSync(folder).length === ${FILES.length});
    renameSync(folder, folder + '.aside');
    symlinkSync(outside, folder);
  } catch {} // It was removed too fast.`;
