import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dataDir, isOwnGroup, prepareDataDir } from './data-dir.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'airlock-data-dir-'));
});
afterEach(() => rmSync(root, { recursive: true }));

it('--data-dir wins over AIRLOCK_DATA_DIR, and that over the place of the platform', () => {
  const environment = { AIRLOCK_DATA_DIR: '/from/environment' };
  expect(dataDir('/chosen', environment)).toBe('/chosen');
  expect(dataDir('relative', environment)).toBe(join(process.cwd(), 'relative'));
  expect(dataDir(undefined, environment)).toBe('/from/environment');
  expect(dataDir(undefined, {})).toMatch(/airlock/);
});

it('is refused where every user may write: its record says what is to be ended', () => {
  chmodSync(root, 0o777);
  expect(() => prepareDataDir(root)).toThrow('every user may write in it');
});

it.runIf(process.getuid?.() === 0)('is refused where a group of others may write', () => {
  chownSync(root, 0, 54_321);
  chmodSync(root, 0o770);
  expect(() => prepareDataDir(root)).toThrow('others of its group may write in it');
  chmodSync(root, 0o750);
  prepareDataDir(root);
});

it.each([
  ['root:x:0:\nada:x:1000:\n', 1000, true],
  ['ada:x:1000:ada\n', 1000, true],
  ['', 1000, true],
  ['ada:x:1000:ada,eve\n', 1000, false],
  ['ada:x:1000:\nsame:x:1000:eve\n', 1000, false],
  ['staff:x:20:\n', 20, false],
])('of the groups %j, %d is the private one of user 1000: %s', (groups, gid, expected) =>
  expect(isOwnGroup(gid, { uid: 1000, name: 'ada' }, groups)).toBe(expected),
);

it('makes every folder on the way, for its owner alone', () => {
  const folder = join(root, 'a/b/c');
  for (let time = 0; time < 2; time += 1) prepareDataDir(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it('refuses what is a file, or within one', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => prepareDataDir(join(root, 'file'))).toThrow('EEXIST');
  expect(() => prepareDataDir(join(root, 'file/data'))).toThrow('ENOTDIR');
});

it.runIf(process.platform === 'linux')('comes to an end where no folder can be made', () => {
  expect(() => prepareDataDir('/proc/airlock/data')).toThrow('ENOENT');
});
