import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { cpioArchive } from './cpio.ts';
import { GuestStore } from './store.ts';
import { extractVmlinux } from './vmlinux.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-guest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const MAX = 1024 * 1024;

describe('the archive', () => {
  const archive = cpioArchive([
    { path: 'etc', kind: 'folder', mode: 0o755 },
    { path: 'etc/é name', kind: 'file', mode: 0o640, content: Buffer.from('five5') },
    { path: 'etc/link', kind: 'link', target: 'é name' },
  ]);

  it('has records of the format newc, padded to four bytes', () => {
    expect(archive.length % 4).toBe(0);
    expect(archive.toString('latin1', 0, 6)).toBe('070701');
    expect(archive.toString('latin1')).toContain('TRAILER!!!');
    expect(archive.equals(cpioArchive([]))).toBe(false);
  });

  it.skipIf(spawnSync('cpio', ['--version']).error !== undefined)('is what cpio unpacks', () => {
    execFileSync('cpio', ['--extract', '--quiet', '--no-preserve-owner'], { input: archive, cwd: folder });
    expect(readFileSync(join(folder, 'etc/link'), 'utf8')).toBe('five5');
    expect(statSync(join(folder, 'etc/é name')).mode & 0o777).toBe(0o640);
  });
});

describe('a kernel image', () => {
  const kernel = Buffer.concat([Buffer.from('\x7fELF', 'latin1'), Buffer.from('kernel '.repeat(500))]);

  /** A bzImage around this payload. */
  function image(payload: Buffer, length = kernel.length): Buffer {
    const header = Buffer.alloc(1024);
    header[0x1f1] = 1;
    header.write('HdrS', 0x202, 'latin1');
    header.writeUInt32LE(0, 0x248);
    header.writeUInt32LE(payload.length + 4, 0x24c);
    const tail = Buffer.alloc(8);
    tail.writeUInt32LE(length);
    return Buffer.concat([header, payload, tail]);
  }

  /** One block: the first eleven bytes as they are, then a copy that overlaps itself for all the rest. */
  function lz4(): Buffer {
    const copied = kernel.length - 11;
    const lengths = [...new Array<number>(Math.floor((copied - 19) / 255)).fill(255), (copied - 19) % 255];
    const block = Buffer.concat([
      Buffer.from([(11 << 4) | 15]),
      kernel.subarray(0, 11),
      Buffer.from([7, 0, ...lengths]),
    ]);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(block.length);
    return Buffer.concat([Buffer.from('02214c18', 'hex'), size, block]);
  }

  it.each([
    ['LZ4', lz4()],
    ['gzip', gzipSync(kernel)],
    ['zstd', zstdCompressSync(kernel)],
  ])('is unpacked from %s', (_, payload) => {
    expect(extractVmlinux(image(payload), MAX).equals(kernel)).toBe(true);
  });

  it('that is an ELF file already is left as it is', () => {
    expect(extractVmlinux(kernel, MAX)).toBe(kernel);
  });

  it.each([
    ['no kernel', Buffer.alloc(2048), 'neither a bzImage nor an ELF file'],
    ['cut', image(lz4()).subarray(0, 1040), 'cut short'],
    ['larger than is taken', image(lz4(), MAX + 1), 'at most 1048576'],
    ['longer than it says', image(lz4(), 100), 'longer than it says'],
    ['shorter than it says', image(lz4(), 5_000), 'damaged'],
    ['of an unknown compression', image(Buffer.from('BZh9')), 'not known here'],
    ['with a copy from nowhere', image(Buffer.from('02214c18050000001f61ffff00', 'hex')), 'from nowhere'],
  ])('%s is refused in words', (_, bytes, words) => {
    expect(() => extractVmlinux(bytes, MAX)).toThrow(words);
  });
});

describe('the store', () => {
  const about = { protocol: 1, kernelRelease: '6.1', packages: [] };

  it('keeps the files of the guest before until the next: an opening may have read its record', async () => {
    const own = mkdtempSync(join(folder, 'store-'));
    const store = new GuestStore(own);
    const publish = async (name: string) =>
      store.filesOf(await store.publish({ kernel: Buffer.from(name), initramfs: Buffer.from(name) }, about));
    const files = [await publish('first'), await publish('second')];
    expect(files.map(({ kernel }) => readFileSync(kernel, 'utf8'))).toEqual(['first', 'second']);
    await publish('third');
    expect(
      files.flatMap(({ kernel, initramfs }) => [kernel, initramfs]).map((path) => existsSync(path)),
    ).toEqual([false, false, true, true]);
  });

  it('knows its files by their digest, and notices when one is another', async () => {
    const store = new GuestStore(folder);
    expect(await store.read()).toBeNull();
    await store.publish({ kernel: Buffer.from('old'), initramfs: Buffer.from('files') }, about);
    await store.publish({ kernel: Buffer.from('new'), initramfs: Buffer.from('files') }, about);
    const guest = await store.read();
    if (guest === null) throw new Error('There is no guest.');
    await store.verify(guest);
    const { kernel } = store.filesOf(guest);
    expect(readFileSync(kernel, 'utf8')).toBe('new');
    writeFileSync(kernel, 'evi');
    await expect(new GuestStore(folder).verify(guest)).rejects.toThrow(
      'kernel is not the one that was built',
    );
    writeFileSync(join(kernel, '../guest.json'), '{"version":1,"kernel":{"name":"../../etc/passwd"}}');
    expect(await store.read()).toBeNull();
  });
});
