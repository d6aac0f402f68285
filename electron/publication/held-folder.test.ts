import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../connection/testing/eventually.ts';
import { outFolderOf } from '../sandbox/bubblewrap/out-folder.ts';
import { identify, type ProcessIdentity } from '../sandbox/process-identity.ts';
import { HeldFolder, identityOf } from './held-folder.ts';
import { Workbench } from './testing/workbench.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.end());

const openFiles = () => readdirSync('/proc/self/fd').length;

describe('F14 a held folder', () => {
  it('keeps identities beyond 2^53 exact', () => {
    expect(identityOf({ dev: 1n, ino: 2n ** 63n + 1n })).toEqual(['1', '9223372036854775809']);
  });

  it('is the same folder when its path leads elsewhere', async () => {
    const held = await HeldFolder.openNamed(bench.path('data'));
    renameSync(bench.path('data'), bench.path('moved'));
    mkdirSync(bench.path('data'));
    writeFileSync(held.at('x'), 'here');
    expect(readFileSync(bench.path('moved/x'), 'utf8')).toBe('here');
    expect(await held.isStillAtItsPath()).toBe(false);
    rmSync(bench.path('data'), { recursive: true });
    renameSync(bench.path('moved'), bench.path('data'));
    expect(await held.isStillAtItsPath()).toBe(true);
    held.close();
  });

  it('links without replacing', async () => {
    const held = await HeldFolder.openNamed(bench.path('data'));
    bench.write('data/from', 'new');
    bench.write('data/to', 'old');
    await expect(held.link('from', 'to')).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(bench.path('data/to'), 'utf8')).toBe('old');
    held.close();
  });

  it('is never what a link as the folder itself leads to', async () => {
    const path = bench.path('link');
    symlinkSync('data', path);
    await expect(HeldFolder.open(path)).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(HeldFolder.openOut({ ...bench.out, path })).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it('open refuses a link on the way, openNamed follows what a person named', async () => {
    mkdirSync(bench.path('data/sub'));
    symlinkSync('data', bench.path('link'));
    await expect(HeldFolder.open(bench.path('link/sub'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    (await HeldFolder.openNamed(bench.path('link/sub'))).close();
  });

  it('ST-25 of a sandbox is refused, and closed, when its number is another process by then', async () => {
    mkdirSync(bench.path('out'));
    const own = identify(process.pid) as ProcessIdentity;
    const outOf = (init: ProcessIdentity) => {
      // This process stands for the sandbox's; the folder is found through its root, as the sandbox's is.
      const { path, isStillThere } = outFolderOf(init);
      return { path: path.replace(/\/out$/, bench.path('out')), isStillThere };
    };
    const held = await HeldFolder.openOut(outOf(own));
    const again = await HeldFolder.open(bench.path('out'));
    expect(held.identity).toEqual(again.identity);
    held.close();
    again.close();
    const before = openFiles();
    const reused = outOf({ ...own, startTime: `${own.startTime}0` });
    await expect(HeldFolder.openOut(reused)).rejects.toMatchObject({ name: 'FileError', rule: 'F7' });
    const gone = outOf({ ...own, pid: 2 ** 30 });
    await expect(HeldFolder.openOut(gone)).rejects.toMatchObject({ code: 'ENOENT' });
    await eventually(() => expect(openFiles()).toBeLessThanOrEqual(before));
  });

  it('leaves nothing open, whether it succeeds, fails or is refused on the way', async () => {
    mkdirSync(bench.path('data/a/b'), { recursive: true });
    const refuse = () => {
      throw new Error('refused');
    };
    const held = await HeldFolder.open(bench.path('data'));
    const before = openFiles();
    (await held.descend(['a', 'b'])).close();
    await expect(held.descend(['a', 'missing', 'b'])).rejects.toThrow('ENOENT');
    await expect(held.descend(['a', 'b'], refuse)).rejects.toThrow('refused');
    await expect(HeldFolder.open(bench.path('data/a/x/y'))).rejects.toThrow('ENOENT');
    await eventually(() => expect(openFiles()).toBe(before));
    expect(existsSync(held.at('a'))).toBe(true);
    held.close();
  });
});
