import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { verifyAudit } from '../audit/verify-audit.ts';
import { HeldFolder } from './held-folder.ts';
import type { PublicationStep } from './publish-file.ts';
import { AUTHORITY, approvedFile, outputOf, Workbench } from './testing/workbench.ts';

const SHELL = 'shell-1';
const PAGE = 4096;
/** Only root may mount the small file systems that these tests fill. */
const whyNot = process.getuid?.() === 0 && mayMount() ? null : 'not root, or mounting is not permitted';

function mayMount(): boolean {
  const bench = new Workbench();
  try {
    mount(bench.project, '64k');
    execFileSync('umount', [bench.project]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(bench.base, { recursive: true });
  }
}

function mount(path: string, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'ignore' });
}

let bench: Workbench;
let mounted: string[];
beforeEach(() => {
  bench = new Workbench();
  mounted = [];
});
afterEach(async () => {
  await bench.audit.close().catch(() => {});
  for (const path of mounted) execFileSync('umount', [path]);
  rmSync(bench.base, { recursive: true });
});

/** Puts a file system of this size at a folder. */
function small(path: string, size: string): void {
  mount(path, size);
  mounted.push(path);
}

const kept = () => readdirSync(join(bench.dataDir, 'sealed'));
const inDestination = () => readdirSync(bench.path('data'));
const filler = () => join(bench.dataDir, 'filler');

/** Takes all that is left of the data folder's file system, the rest of the log's last page included. */
async function fill(): Promise<void> {
  const log = join(bench.dataDir, 'audit/log.jsonl');
  const room = () => PAGE - (statSync(log).size % PAGE);
  const pad = (text: string) => bench.audit.append({ event: 'test.pad', sessionId: null, data: { text } });
  const before = statSync(log).size;
  await pad('');
  const least = statSync(log).size - before;
  if (room() < least + 10) await pad('');
  await pad('x'.repeat(room() - least - 10));
  fillAll();
}

/** All but `less` bytes of what is left of the data folder's file system. */
function fillAll(less = 0): void {
  const file = openSync(filler(), 'w');
  const page = Buffer.alloc(PAGE);
  try {
    for (;;) writeSync(file, page);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
  truncateSync(filler(), statSync(filler()).size - less);
}

function fillAt(step: PublicationStep): void {
  bench.onStep = async (now) => {
    if (now === step) await fill();
  };
}

describe.skipIf(whyNot !== null)(`B25 a full disk${whyNot === null ? '' : ` (skipped: ${whyNot})`}`, () => {
  it('at the first start: what could not be written has no name, and the next start makes it', async () => {
    small(bench.dataDir, '256k');
    mkdirSync(join(bench.dataDir, 'audit'), { mode: 0o700 });
    fillAll(PAGE); // For the lock.
    await expect(bench.start()).rejects.toThrow();
    expect(readdirSync(join(bench.dataDir, 'audit'))).toEqual([]);
    rmSync(filler());
    await bench.start();
    expect(await verifyAudit(bench.dataDir)).toMatchObject({ ok: true });
  });

  it('at the start after a crash: the record that it cut off stays in the log until it can be set aside', async () => {
    small(bench.dataDir, '256k');
    await bench.start();
    await bench.audit.close();
    const log = join(bench.dataDir, 'audit/log.jsonl');
    const torn = '{"at":"2026 torn record';
    appendFileSync(log, torn);
    fillAll(PAGE);
    await expect(bench.start()).rejects.toThrow();
    expect(readFileSync(log, 'utf8').endsWith(torn)).toBe(true);
    rmSync(filler());
    await bench.start();
    const [part = ''] = readdirSync(join(bench.dataDir, 'audit')).filter((name) => name.startsWith('torn-'));
    expect(readFileSync(join(bench.dataDir, 'audit', part), 'utf8')).toBe(torn);
    expect(await verifyAudit(bench.dataDir)).toMatchObject({ ok: true });
  });

  it('at the destination: nothing has the name, nothing is left, the sealed file is kept and goes elsewhere', async () => {
    small(bench.path('data'), '256k');
    await bench.start();
    const content = Buffer.alloc(1024 * 1024, 'x');
    const staging = await bench.staged(content, 'data/report.csv', content.length);
    await expect(staging.publish(AUTHORITY)).rejects.toMatchObject({
      rule: 'F9',
      message: 'filesystem output publication failed: there is no space left',
    });
    expect([inDestination(), kept()]).toEqual([[], [expect.any(String)]]);
    const [failed] = bench.store.list();
    if (failed?.state !== 'failed') return expect.fail('no failure is listed');
    const destination = bench.path('report.csv');
    const authority = await approvedFile(bench.audit, failed, destination);
    await bench.store.retry(failed.id, destination, authority);
    expect(readFileSync(destination).equals(content)).toBe(true);
    expect([kept(), (await verifyAudit(bench.dataDir)).broken]).toEqual([[], null]);
  });

  it('where a shell’s file is sealed: refused in words, and no half of it is left', async () => {
    small(bench.dataDir, '512k');
    await bench.start();
    bench.write('out/large', Buffer.alloc(1024 * 1024));
    const sealing = bench.store.sealFromShell({ sessionId: SHELL, outFolder: bench.out, path: 'large' });
    await expect(sealing).rejects.toMatchObject({
      rule: 'F7',
      message: 'the file cannot be sealed: there is no space left',
    });
    expect([readdirSync(join(bench.dataDir, 'staging')), kept(), bench.store.list()]).toEqual([[], [], []]);
  });

  it('where a session’s files are staged: refused in words, and its place is free again', async () => {
    small(bench.dataDir, '512k');
    await bench.start();
    bench.write('in', Buffer.alloc(1024 * 1024));
    const plan = await bench.prepare({ read: ['in'], create: 'data/out', maxFileBytes: 1024 * 1024 });
    for (let times = 0; times < 20; times++)
      await expect(plan.stage()).rejects.toMatchObject({
        rule: 'F6',
        message: 'the files of the session cannot be staged: there is no space left',
      });
    plan.close();
    expect(readdirSync(join(bench.dataDir, 'staging'))).toEqual([]);
  });

  it.each<[PublicationStep, 'nothing' | 'the file']>([
    ['sealed', 'nothing'],
    ['candidate-written', 'nothing'],
    ['synced', 'the file'],
  ])('of the log after %s: %s has the name, and this start and the next say so', async (step, what) => {
    small(bench.dataDir, '512k');
    await bench.start();
    const staging = await bench.staged('a,1\n');
    const output = outputOf(staging);
    fillAt(step);
    await expect(staging.publish(AUTHORITY)).rejects.toMatchObject({ name: 'FileError' });
    expect(existsSync(output)).toBe(false);
    expect(inDestination()).toEqual(what === 'nothing' ? [] : ['report.csv']);
    const [failed] = bench.store.list();
    if (failed?.state !== 'failed') return expect.fail('no failure is listed');
    expect(failed.recovery).toBe(what === 'nothing' ? undefined : 'published');
    expect(readFileSync(failed.kept, 'utf8')).toBe('a,1\n');

    rmSync(filler());
    await bench.restart();
    const next = bench.store.list();
    if (step === 'sealed') {
      expect([next, bench.store.recovery.problems.join()]).toEqual([
        [],
        expect.stringContaining(failed.kept),
      ]);
    } else {
      expect(next).toMatchObject([{ state: 'failed', id: failed.id }]);
      expect(readFileSync(failed.kept, 'utf8')).toBe('a,1\n');
    }
    expect(await verifyAudit(bench.dataDir)).toMatchObject({ ok: true, receipts: 0 });
  });

  it('of the log when a shell’s file is sealed: refused, and no copy is kept', async () => {
    small(bench.dataDir, '512k');
    await bench.start();
    bench.write('out/a', 'x');
    fillAt('sealed');
    const sealing = bench.store.sealFromShell({ sessionId: SHELL, outFolder: bench.out, path: 'a' });
    await expect(sealing).rejects.toMatchObject({ rule: 'X2' });
    expect([kept(), bench.store.list()]).toEqual([[], []]);
  });
});

const elsewhere = '/dev/shm';
const isOther = existsSync(elsewhere) && statSync(elsewhere).dev !== statSync(tmpdir()).dev;

it.skipIf(!isOther)(
  'B25 a destination on another file system than the sealed file gets the whole file (EXDEV)',
  async () => {
    await bench.start();
    const far = join(elsewhere, `airlock-far-${process.pid}`);
    mkdirSync(far);
    try {
      bench.write('out/a', 'x'.repeat(3_000_000));
      const sealed = await bench.store.sealFromShell({ sessionId: SHELL, outFolder: bench.out, path: 'a' });
      const destination = join(far, 'a');
      const authority = await approvedFile(bench.audit, sealed, destination);
      await bench.store.publishSealed(sealed, destination, authority);
      expect(readFileSync(destination, 'utf8')).toBe('x'.repeat(3_000_000));
      expect([readdirSync(far), kept()]).toEqual([['a'], []]);
      expect(await verifyAudit(bench.dataDir)).toMatchObject({ ok: true, receipts: 1 });
    } finally {
      rmSync(far, { recursive: true });
    }
  },
);

describe('B25 what the system may refuse', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** The next call fails as the kernel would let it fail: few file systems of a test machine do it themselves. */
  function refuse(call: 'link' | 'openFile', code: string): void {
    vi.spyOn(HeldFolder.prototype, call).mockRejectedValueOnce(Object.assign(new Error(code), { code }));
  }

  it.each([
    ['EPERM', 'this file system has no atomic step that never replaces a file'],
    ['EOPNOTSUPP', 'this file system has no atomic step that never replaces a file'],
    ['ENOSYS', 'this file system has no atomic step that never replaces a file'],
    ['ENOSPC', 'there is no space left'],
    ['EXDEV', 'EXDEV'],
    ['EIO', 'EIO'],
  ])(
    'the atomic step with %s: nothing is published another way, and the sealed file is kept',
    async (code, text) => {
      await bench.start();
      const staging = await bench.staged('a,1\n');
      refuse('link', code);
      await expect(staging.publish(AUTHORITY)).rejects.toMatchObject({
        rule: 'F9',
        message: `filesystem output publication failed: ${text}`,
      });
      expect([inDestination(), kept()]).toEqual([[], [expect.any(String)]]);
    },
  );

  it('the candidate with EROFS: refused in words', async () => {
    await bench.start();
    const staging = await bench.staged('a,1\n');
    bench.onStep = (step) => {
      if (step === 'seal-recorded') refuse('openFile', 'EROFS');
    };
    await expect(staging.publish(AUTHORITY)).rejects.toMatchObject({
      message: 'filesystem output publication failed: the file system is read-only',
    });
    expect([inDestination(), kept()]).toEqual([[], [expect.any(String)]]);
  });
});
