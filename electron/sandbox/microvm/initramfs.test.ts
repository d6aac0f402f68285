import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionInitramfs } from './initramfs.ts';

const ARCHIVE = Buffer.from('070701 what one session is told');
const NOBODY = 65_534;

let folder: string;
let guest: string;
let sessions: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airlock-initramfs-'));
  guest = join(folder, 'guest');
  // Nothing was built here: only the data folder exists.
  sessions = join(folder, 'microvm');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The same in a process of a user without privileges, which can have no file of more than `maxBytes`. */
function asUser(maxBytes: number, first = '') {
  if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY);
  const script = `${first}
    const { sessionInitramfs } = await import(${JSON.stringify(join(import.meta.dirname, 'initramfs.ts'))});
    const [guest, sessions, archive] = process.argv.slice(1);
    await sessionInitramfs(guest, Buffer.from(archive), sessions).then(
      async (file) => console.log((await file.stat()).size),
      (error) => console.log(error.code),
    );`;
  const node = [process.execPath, '--input-type=module', '-e', script, guest, sessions, String(ARCHIVE)];
  const bounded = ['prlimit', `--fsize=${maxBytes}`, ...node] as const;
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const { stdout, signal } = spawnSync(bounded[0], bounded.slice(1), {
    ...user,
    cwd: folder,
    encoding: 'utf8',
  });
  return { said: stdout.trim(), signal };
}

describe.runIf(process.platform === 'linux')('the file system of one session', () => {
  it('has the session’s archive where the kernel looks for one, and no name', async () => {
    writeFileSync(guest, 'guest');
    const file = await sessionInitramfs(guest, ARCHIVE, sessions);
    expect(readdirSync(sessions)).toEqual([]);
    const { size, mode } = await file.stat();
    const content = Buffer.alloc(size);
    await file.read(content, 0, size, 0);
    expect(String(content)).toBe(`guest\0\0\0${ARCHIVE}`);
    expect(mode & 0o777).toBe(0o644);
    await file.close();
  });

  it('is made of a file that nobody may write', () => {
    writeFileSync(guest, 'four');
    chmodSync(guest, 0o444);
    expect(asUser(1024)).toEqual({ said: String(4 + ARCHIVE.length), signal: null });
  });

  it('is whole or none: a full disk is an error', () => {
    writeFileSync(guest, 'four');
    expect(asUser(4 + ARCHIVE.length - 1)).toEqual({ said: 'EFBIG', signal: null });
    expect(readdirSync(sessions)).toEqual([]);
  });

  it('leaves nothing where the host is killed while it writes it', () => {
    writeFileSync(guest, 'four');
    // Node ignores the signal for a file that grows too large; without a listener it kills again.
    const fatal = "process.once('SIGXFSZ', () => {}).removeAllListeners('SIGXFSZ');";
    expect(asUser(4, fatal)).toEqual({ said: '', signal: 'SIGXFSZ' });
    expect(readdirSync(sessions)).toEqual([]);
  });
});
