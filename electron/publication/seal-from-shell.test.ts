import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUTHORITY, Workbench } from './testing/workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = await new Workbench().start();
  mkdirSync(bench.path('out'));
});
afterEach(() => bench.end());

const SHELL = { ...AUTHORITY, sessionId: 'shell-1', command: null };
const seal = (path: string) =>
  bench.store.sealFromShell({ sessionId: 'shell-1', outFolder: bench.out, path });
const sealedNames = () => readdirSync(join(bench.dataDir, 'sealed'));
const stagedNames = () => readdirSync(join(bench.dataDir, 'staging'));
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

describe('Publish… from a shell', () => {
  it('seals a private copy with size and SHA-256, which later writes do not reach', async () => {
    bench.write('out/dir/a: b,c.txt', 'first');
    const sealed = await seal('dir/a: b,c.txt');
    expect(sealed).toMatchObject({
      path: 'dir/a: b,c.txt',
      bytes: 5,
      sha256: sha256('first'),
      sessionId: 'shell-1',
    });
    writeFileSync(bench.path('out/dir/a: b,c.txt'), 'other');
    expect(statSync(sealed.kept).mode & 0o777).toBe(0o400);

    const receipt = await bench.store.publishSealed(sealed, bench.path('data/result.txt'), SHELL);
    expect(receipt).toMatchObject({
      id: sealed.id,
      command: null,
      path: 'dir/a: b,c.txt',
      destination: bench.path('data/result.txt'),
      sealedAt: sealed.sealedAt,
    });
    expect(readFileSync(receipt.destination, 'utf8')).toBe('first');
    expect([sealedNames(), stagedNames()]).toEqual([[], []]);
  });

  it('denied: the sealed file is gone and cannot be published any more', async () => {
    bench.write('out/a', 'x');
    const sealed = await seal('a');
    await bench.store.discardSealed(sealed, 'denied by operator');
    expect(sealedNames()).toEqual([]);
    await expect(bench.store.publishSealed(sealed, bench.path('data/a'), SHELL)).rejects.toMatchObject({
      rule: 'F10',
    });
    expect(bench.store.list()).toEqual([]);
  });

  it('one that cannot even be started at its destination is kept and listed with it', async () => {
    bench.write('out/a', 'x');
    const sealed = await seal('a');
    const destination = bench.path('gone/a');
    await expect(bench.store.publishSealed(sealed, destination, SHELL)).rejects.toMatchObject({ rule: 'F4' });
    expect(bench.store.list()).toMatchObject([
      { state: 'failed', id: sealed.id, destination, kept: sealed.kept },
    ]);
    await bench.store.retry(sealed.id, bench.path('data/a'), SHELL);
  });

  it('one that the log cannot take is kept and listed', async () => {
    bench.write('out/a', 'x');
    const sealed = await seal('a');
    await bench.audit.close();
    await expect(bench.store.publishSealed(sealed, bench.path('data/a'), SHELL)).rejects.toMatchObject({
      rule: 'X2',
    });
    expect(bench.store.list()).toMatchObject([{ state: 'failed', id: sealed.id }]);
    expect([readFileSync(sealed.kept, 'utf8'), existsSync(bench.path('data/a'))]).toEqual(['x', false]);
  });

  it('is published once', async () => {
    bench.write('out/a', 'x');
    const sealed = await seal('a');
    const tries = await Promise.allSettled([
      bench.store.publishSealed(sealed, bench.path('data/a'), SHELL),
      bench.store.publishSealed(sealed, bench.path('data/b'), SHELL),
    ]);
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('a destination that cannot be one is refused before anyone is asked', async () => {
    bench.write('data/there', 'x');
    await expect(bench.store.checkDestination(bench.path('data/there'))).rejects.toMatchObject({
      rule: 'F4',
    });
    await expect(bench.store.checkDestination(bench.path('nowhere/x'))).rejects.toMatchObject({ rule: 'F4' });
    await expect(bench.store.checkDestination('relative/x')).rejects.toMatchObject({ rule: 'F2' });
    await expect(bench.store.checkDestination(`${bench.path('data')}/../x`)).rejects.toMatchObject({
      rule: 'F2',
    });
    await bench.store.checkDestination(bench.path('data/new'));
  });

  it.each<[string, (path: string) => void]>([
    ['a link out of the sandbox', (path) => symlinkSync('/etc/hostname', path)],
    ['a link that leads nowhere', (path) => symlinkSync('nowhere', path)],
    ['a hard link', (path) => linkSync(bench.write('secret', 'x'), path)],
    ['a pipe', (path) => void execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    [
      'a sparse file of 1 TiB',
      (path) => {
        writeFileSync(path, '');
        truncateSync(path, 2 ** 40);
      },
    ],
    ['nothing', () => {}],
    [
      'below a link',
      (path) => {
        rmSync(dirname(path), { recursive: true });
        symlinkSync('/etc', dirname(path));
      },
    ],
  ])('F7 B25 refuses %s', async (_, make) => {
    mkdirSync(bench.path('out/sub'));
    make(bench.path('out/sub/hostname'));
    await expect(seal('sub/hostname')).rejects.toMatchObject({ rule: 'F7' });
    expect([sealedNames(), stagedNames()]).toEqual([[], []]);
  });

  it('ST-25 refuses what its path leads to when the sandbox has ended meanwhile', async () => {
    bench.write('out/a', 'of another process');
    const outFolder = { ...bench.out, isStillThere: () => false };
    await expect(
      bench.store.sealFromShell({ sessionId: 'shell-1', outFolder, path: 'a' }),
    ).rejects.toMatchObject({ rule: 'F7', message: 'the session has ended, and its /out with it' });
    expect([sealedNames(), stagedNames()]).toEqual([[], []]);
  });

  it.each(['', '.', '..', '../secret', '/etc/hostname', 'a//b', 'a/../../secret', 'a\0b', 'x/'.repeat(3000)])(
    'F1 refuses the path %j',
    async (path) => {
      bench.write('secret', 'x');
      await expect(seal(path)).rejects.toMatchObject({ rule: 'F1' });
    },
  );

  it.each<[string, (path: string) => void]>([
    ['grows', (path) => appendFileSync(path, 'x')],
    ['is rewritten and says that it was not', (path) => rewriteInSecret(path)],
    ['gets a second name', (path) => linkSync(path, `${path}-${linked++}`)],
  ])('F7 a file that %s while it is copied is refused, and nothing of it stays', async (_, disturb) => {
    // Large enough for many reads.
    const path = bench.write('out/busy', Buffer.alloc(64 * 1024 * 1024));
    utimesSync(path, 1, 1);
    const sealing = seal('busy').then(
      () => 'sealed',
      (error) => error.message,
    );
    let done = false;
    void sealing.then(() => {
      done = true;
    });
    // From the first read on: before it, it is only a file that was changed earlier.
    while (!done && stagedNames().length === 0) await new Promise(setImmediate);
    while (!done) {
      disturb(path);
      await new Promise(setImmediate);
    }
    expect(await sealing).toBe('the file changed while it was sealed; stop what writes it and try again');
    expect([sealedNames(), stagedNames(), existsSync(path)]).toEqual([[], [], true]);
  });
});

let linked = 0;

function rewriteInSecret(path: string): void {
  const file = openSync(path, 'r+');
  writeSync(file, 'y', 0);
  closeSync(file);
  utimesSync(path, 1, 1);
}
