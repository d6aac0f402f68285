import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Publication, Receipt } from '../../shared/governed/receipt.ts';
import { ADA } from '../approvals/testing/approve.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { HeldFolder } from './held-folder.ts';
import { linkProblem, type PublicationStep } from './publish-file.ts';
import { AUTHORITY, approvedFile, outputOf, Workbench } from './testing/workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = await new Workbench().start();
});
afterEach(() => bench.end());

const TARGET = 'data/report.csv';
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
const sealed = () => readdirSync(join(bench.dataDir, 'sealed'));
const candidates = () =>
  readdirSync(bench.path('data')).filter((name) => name.startsWith('.airlock-publish-'));

async function events(): Promise<string[]> {
  const all: string[] = [];
  for await (const { event } of bench.audit.entries()) all.push(event);
  return all.filter((event) => event.startsWith('publication.'));
}

/** Publishes and returns the refusal; the sealed file must be kept and listed with the reason. */
async function refusedAndKept(publishing: Promise<Receipt>, content = 'a,1\n') {
  const error = await publishing.then(
    () => expect.fail('it was published'),
    (reason) => reason,
  );
  const [failure] = bench.store.list();
  if (failure?.state !== 'failed') return expect.fail('no failure is listed');
  expect(failure.reason).toBe(error.message);
  expect(error.file).toBe('kept');
  expect(readFileSync(failure.kept, 'utf8')).toBe(content);
  expect(failure).toMatchObject({ bytes: Buffer.byteLength(content), sha256: sha256(content), path: TARGET });
  expect(await bench.store.verify(failure.id)).toBeNull();
  return { rule: error.rule as string, text: error.message as string, id: failure.id };
}

describe('publication of a worker output', () => {
  it('F7 F8 F9 F10 F11 ends in a file 0600, a receipt, and records in their order', async () => {
    const staging = await bench.staged('a,1\n');
    const authority = await bench.approved();
    let changes = 0;
    bench.store.onChange(() => changes++);
    const receipt = await staging.publish(authority);
    const path = bench.path(TARGET);
    expect(receipt).toMatchObject({
      sessionId: 'session-1',
      command: 'report_writer.save',
      path: TARGET,
      destination: path,
      bytes: 4,
      sha256: sha256('a,1\n'),
      approver: ADA,
      approvalId: authority.approvalId,
    });
    expect(readFileSync(path, 'utf8')).toBe('a,1\n');
    expect(statSync(path)).toMatchObject({ mode: 0o100600, nlink: 1, uid: process.getuid?.() });
    expect(await events()).toEqual(['publication.sealed', 'publication.prepared', 'publication.finished']);
    expect(bench.store.list()).toEqual([{ state: 'published', receipt }]);
    expect(await bench.store.verify(receipt.id)).toBeNull();
    expect([sealed(), candidates(), readdirSync(join(bench.dataDir, 'staging'))]).toEqual([[], [], []]);
    expect(changes).toBeGreaterThan(0);
    expect(await verifyAudit(bench.dataDir)).toMatchObject({ ok: true, receipts: 1 });
    await bench.restart();
    expect(bench.store.list()).toEqual([{ state: 'published', receipt }]);
  });

  it('F7 publishes an untouched output with 0 bytes', async () => {
    const receipt = await (await bench.staged('')).publish(AUTHORITY);
    expect(receipt).toMatchObject({ bytes: 0, sha256: sha256('') });
    expect(statSync(bench.path(TARGET)).size).toBe(0);
  });

  it.each<[string, (output: string) => void]>([
    ['one byte too many', (output) => writeFileSync(output, Buffer.alloc(1025))],
    ['a huge sparse file', (output) => truncateSync(output, 2 ** 40)],
    ['a hard link', (output) => linkSync(output, join(bench.base, 'second'))],
    ['a link', (output) => replace(output, () => symlinkSync('/etc/hostname', output))],
    ['a pipe', (output) => replace(output, () => void execFileSync('mkfifo', [output]))],
    ['a folder', (output) => replace(output, () => mkdirSync(output))],
    ['nothing', (output) => rmSync(output)],
  ])('F7 refuses an output that is %s', async (_, change) => {
    const staging = await bench.staged('x');
    change(outputOf(staging));
    await expect(staging.publish(AUTHORITY)).rejects.toMatchObject({
      rule: 'F7',
      message: 'invalid or oversized worker output',
      file: 'gone',
    });
    expect(existsSync(bench.path(TARGET))).toBe(false);
    expect([sealed(), await events()]).toEqual([[], []]);
  });

  it.each([
    [
      'synced',
      'the output cannot be sealed: EIO',
      () =>
        vi
          .spyOn(HeldFolder.prototype, 'sync')
          .mockRejectedValueOnce(Object.assign(new Error('EIO'), { code: 'EIO' })),
    ],
    [
      'recorded',
      'file publication requires an active audited dispatcher',
      () => vi.spyOn(bench.audit, 'append').mockRejectedValueOnce(new Error('EIO')),
    ],
  ])(
    'what is sealed and cannot be %s is kept and listed, also after a restart',
    async (_what, text, fail) => {
      const authority = await bench.approved();
      const staging = await bench.staged('a,1\n');
      const failing = fail();
      const refusal = await refusedAndKept(staging.publish(authority));
      failing.mockRestore();
      expect(refusal.text).toBe(text);
      await bench.restart();
      expect(bench.store.list()).toMatchObject([{ state: 'failed', id: refusal.id, reason: text }]);
      const receipt = await bench.store.retry(refusal.id, bench.path(TARGET), authority);
      expect(readFileSync(bench.path(TARGET), 'utf8')).toBe('a,1\n');
      await bench.restart();
      expect(bench.store.list()).toEqual([{ state: 'published', receipt }]);
      expect(await verifyAudit(bench.dataDir)).toMatchObject({ ok: true, receipts: 1 });
    },
  );

  it('what is sealed while the log takes nothing is recorded before it is published', async () => {
    const authority = await bench.approved();
    const staging = await bench.staged('a,1\n');
    const failing = vi.spyOn(bench.audit, 'append').mockRejectedValue(new Error('EIO'));
    const { id } = await refusedAndKept(staging.publish(authority));
    failing.mockRestore();
    const receipt = await bench.store.retry(id, bench.path(TARGET), authority);
    expect((await events()).slice(0, 2)).toEqual(['publication.sealed', 'publication.started']);
    await bench.restart();
    expect(bench.store.list()).toEqual([{ state: 'published', receipt }]);
  });

  it('what cannot be read once it is sealed stays where it is, and the refusal says where', async () => {
    const staging = await bench.staged('a,1\n');
    const elsewhere = join(bench.base, 'elsewhere');
    renameSync(join(bench.dataDir, 'sealed'), elsewhere);
    symlinkSync(elsewhere, join(bench.dataDir, 'sealed'));
    const refusal = await staging.publish(AUTHORITY).catch((error) => error);
    const [name = ''] = sealed();
    expect(refusal).toMatchObject({ rule: 'F7', file: 'kept' });
    expect(refusal.message).toContain(join(bench.dataDir, 'sealed', name));
    expect(readFileSync(join(elsewhere, name), 'utf8')).toBe('a,1\n');
  });

  it('F10 the close waits for what is under way, so that its receipt is in the log, and nothing begins meanwhile', async () => {
    const staging = await bench.staged('a,1\n');
    const later = await bench.staged('later', 'data/later');
    const { reached, go } = bench.barrier('candidate-written');
    const publishing = staging.publish(await bench.approved());
    await reached;
    const closed = bench.store.close().then(() => bench.audit.close());
    await expect(later.publish(AUTHORITY)).rejects.toMatchObject({ rule: 'X2' });
    go();
    const { destination } = await publishing;
    await closed;
    expect(readFileSync(destination, 'utf8')).toBe('a,1\n');
    expect(await verifyAudit(bench.dataDir)).toMatchObject({ ok: true, receipts: 1 });
  });

  it('F7 publishes once', async () => {
    const staging = await bench.staged('a,1\n');
    const both = await Promise.allSettled([staging.publish(AUTHORITY), staging.publish(AUTHORITY)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect(staging.publish(AUTHORITY)).rejects.toMatchObject({ rule: 'X42' });
  });

  it.each<PublicationStep>(['seal-recorded', 'candidate-written', 'prepared'])(
    'F8 refuses when the authority ends after %s',
    async (step) => {
      let holds = true;
      bench.onStep = (now) => {
        if (now === step) holds = false;
      };
      const staging = await bench.staged('a,1\n');
      const refusal = await refusedAndKept(staging.publish({ ...AUTHORITY, stillHolds: () => holds }));
      expect(refusal).toMatchObject({ rule: 'X2', text: 'effect journal authority is closed or expired' });
      expect([existsSync(bench.path(TARGET)), candidates()]).toEqual([false, []]);
    },
  );

  it.each<PublicationStep>(['seal-recorded', 'candidate-written', 'prepared'])(
    'F8 refuses when the parent path leads elsewhere after %s',
    async (step) => {
      bench.onStep = (now) => {
        if (now !== step) return;
        renameSync(bench.path('data'), bench.path('moved'));
        mkdirSync(bench.path('data'));
      };
      const refusal = await refusedAndKept((await bench.staged('a,1\n')).publish(AUTHORITY));
      expect(refusal).toMatchObject({
        rule: 'F8',
        text: 'output parent pathname changed; publication requires reconciliation',
      });
      expect([readdirSync(bench.path('data')), readdirSync(bench.path('moved'))]).toEqual([[], []]);
    },
  );

  it('F8 B25 a link put in place of the parent is not followed', async () => {
    mkdirSync(bench.path('victim'));
    bench.onStep = (now) => {
      if (now !== 'prepared') return;
      renameSync(bench.path('data'), bench.path('moved'));
      symlinkSync('victim', bench.path('data'));
    };
    const refusal = await refusedAndKept((await bench.staged('a,1\n')).publish(AUTHORITY));
    expect(refusal.rule).toBe('F8');
    expect([readdirSync(bench.path('victim')), readdirSync(bench.path('moved'))]).toEqual([[], []]);
  });

  it.each<PublicationStep>(['linked', 'unlinked'])(
    'F9 F10 a parent that moves after %s: an error, the file stays, and the state says so',
    async (step) => {
      bench.onStep = (now) => {
        if (now !== step) return;
        renameSync(bench.path('data'), bench.path('moved'));
        mkdirSync(bench.path('data'));
      };
      await expect((await bench.staged('a,1\n')).publish(AUTHORITY)).rejects.toMatchObject({ rule: 'F8' });
      expect(readFileSync(bench.path('moved/report.csv'), 'utf8')).toBe('a,1\n');
      expect(bench.store.list()).toMatchObject([{ state: 'failed', recovery: 'conflict' }]);
    },
  );

  it.each<[string, (candidate: string) => void]>([
    ['is overwritten', (path) => writeFileSync(path, 'b,2\n')],
    ['grows', (path) => appendFileSync(path, 'x')],
    ['is cut', (path) => truncateSync(path, 1)],
    ['is replaced', (path) => replace(path, () => writeFileSync(path, 'a,1\n'))],
    ['is replaced by a link', (path) => replace(path, () => symlinkSync('/etc/hostname', path))],
    ['gets a second name', (path) => linkSync(path, bench.path('second'))],
    ['is removed', (path) => rmSync(path)],
  ])('F9 refuses when the candidate %s', async (_, change) => {
    bench.onStep = (now) => {
      if (now === 'prepared') change(bench.path(`data/${candidates()[0]}`));
    };
    const refusal = await refusedAndKept((await bench.staged('a,1\n')).publish(AUTHORITY));
    expect(refusal).toMatchObject({
      rule: 'F9',
      text: 'filesystem output publication failed: the private candidate was changed by another process',
    });
    expect(existsSync(bench.path(TARGET))).toBe(false);
  });

  it('F9 never removes a file that another put in place of the candidate', async () => {
    let path = '';
    bench.onStep = (now) => {
      if (now !== 'prepared') return;
      path = bench.path(`data/${candidates()[0]}`);
      replace(path, () => writeFileSync(path, "someone else's"));
    };
    await refusedAndKept((await bench.staged('a,1\n')).publish(AUTHORITY));
    expect(readFileSync(path, 'utf8')).toBe("someone else's");
  });

  it('F9 a candidate replaced after the last check is reported as a conflict, and is not removed', async () => {
    bench.onStep = (now) => {
      if (now !== 'checked') return;
      const path = bench.path(`data/${candidates()[0]}`);
      replace(path, () => writeFileSync(path, 'b,2\n'));
    };
    await expect((await bench.staged('a,1\n')).publish(AUTHORITY)).rejects.toMatchObject({ rule: 'F9' });
    expect(bench.store.list()).toMatchObject([{ state: 'failed', recovery: 'conflict' }]);
    expect(await events()).not.toContain('publication.finished');
  });

  it('F10 F13 nothing is published when the log takes no intent', async () => {
    bench.onStep = async (now) => {
      if (now === 'candidate-written') await bench.audit.close();
    };
    const refusal = await refusedAndKept((await bench.staged('a,1\n')).publish(AUTHORITY));
    expect(refusal).toMatchObject({
      rule: 'X2',
      text: 'file publication requires an active audited dispatcher',
    });
    expect([existsSync(bench.path(TARGET)), candidates()]).toEqual([false, []]);
    // The next start finds the same and says so.
    await bench.start();
    expect(bench.store.list()).toMatchObject([{ state: 'failed' }]);
  });

  it('F10 a file whose end cannot be recorded stays, is an error, and is found by the next start', async () => {
    bench.onStep = async (now) => {
      if (now === 'synced') await bench.audit.close();
    };
    await expect((await bench.staged('a,1\n')).publish(AUTHORITY)).rejects.toMatchObject({
      rule: 'F10',
      file: 'published',
    });
    expect(readFileSync(bench.path(TARGET), 'utf8')).toBe('a,1\n');
    expect(bench.store.list()).toMatchObject([{ state: 'failed', recovery: 'published' }]);
    await bench.start();
    const [found] = bench.store.list();
    expect(found).toMatchObject({ state: 'failed', recovery: 'published' });
    if (found?.state !== 'failed') return;
    await expect(bench.store.retry(found.id, bench.path('again'), AUTHORITY)).rejects.toMatchObject({
      rule: 'F10',
    });
  });
});

describe('B25 F9 races for the destination', () => {
  const EXISTS = 'filesystem output publication failed: the target already exists';

  it.each<[string, (path: string) => void, (path: string) => unknown]>([
    ['a file', (path) => writeFileSync(path, 'theirs'), (path) => readFileSync(path, 'utf8')],
    ['an empty file', (path) => writeFileSync(path, ''), (path) => statSync(path).size],
    ['a folder', (path) => mkdirSync(path), (path) => readdirSync(path)],
    ['a link that leads nowhere', (path) => symlinkSync('nowhere', path), (path) => readlinkSync(path)],
    ['a link to a folder', (path) => symlinkSync('.', path), (path) => readlinkSync(path)],
    ['a pipe', (path) => void execFileSync('mkfifo', [path]), (path) => lstatSync(path).isFIFO()],
  ])('%s that appears just before the last step wins and is untouched', async (_, make, look) => {
    const staging = await bench.staged('a,1\n');
    const barrier = bench.barrier('checked');
    const publishing = refusedAndKept(staging.publish(AUTHORITY));
    await barrier.reached;
    make(bench.path(TARGET));
    const theirs = look(bench.path(TARGET));
    const { ino } = lstatSync(bench.path(TARGET));
    barrier.go();
    expect(await publishing).toMatchObject({ rule: 'F9', text: EXISTS });
    expect(look(bench.path(TARGET))).toEqual(theirs);
    expect(lstatSync(bench.path(TARGET)).ino).toBe(ino);
    expect(candidates()).toEqual([]);
    expect(existsSync(bench.path('data/nowhere'))).toBe(false);
  });

  it('of two publishers at one barrier exactly one wins, and its file stays whole', async () => {
    for (let round = 0; round < 5; round++) {
      const name = `data/r${round}`;
      const contents = ['first', 'second'];
      const stagings = [
        await bench.staged(contents[0] as string, name),
        await bench.staged(contents[1] as string, name),
      ];
      let waiting = 0;
      const both = Promise.withResolvers<void>();
      bench.onStep = async (now) => {
        if (now !== 'checked') return;
        if (++waiting === 2) both.resolve();
        await both.promise;
      };
      const results = await Promise.allSettled(stagings.map((staging) => staging.publish(AUTHORITY)));
      const won = results.findIndex(({ status }) => status === 'fulfilled');
      const lost = results[1 - won];
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(lost).toMatchObject({ reason: { message: EXISTS } });
      expect(readFileSync(bench.path(name), 'utf8')).toBe(contents[won]);
    }
    expect(sealed()).toHaveLength(5);
    expect(candidates()).toEqual([]);
  });

  it.each([
    ['EEXIST', 'the target already exists'],
    ['EPERM', 'this file system has no atomic step that never replaces a file'],
    ['EOPNOTSUPP', 'this file system has no atomic step that never replaces a file'],
    ['EROFS', 'the file system is read-only'],
    ['EIO', 'EIO'],
  ])('says what %s of the atomic step means', (code, text) => {
    expect(linkProblem(code)).toBe(text);
  });
});

describe('kept files', () => {
  async function failed(): Promise<string> {
    bench.onStep = (now) => {
      if (now === 'checked') bench.write(TARGET, 'theirs');
    };
    const { id } = await refusedAndKept((await bench.staged('a,1\n')).publish(AUTHORITY));
    bench.onStep = () => {};
    return id;
  }

  it('can be published under another name, also after a restart', async () => {
    const id = await failed();
    await bench.restart();
    const [kept] = bench.store.list() as [Extract<Publication, { state: 'failed' }>];
    const destination = bench.path('data/report-2.csv');
    const authority = await approvedFile(bench.audit, kept, destination);
    const receipt = await bench.store.retry(id, destination, authority);
    expect(receipt).toMatchObject({
      id,
      destination,
      sha256: sha256('a,1\n'),
    });
    expect(readFileSync(bench.path(TARGET), 'utf8')).toBe('theirs');
    expect(bench.store.list()).toEqual([{ state: 'published', receipt }]);
    expect(sealed()).toEqual([]);
    expect((await verifyAudit(bench.dataDir)).broken).toBeNull();
    await expect(bench.store.retry(id, bench.path('again'), AUTHORITY)).rejects.toMatchObject({
      rule: 'F10',
    });
  });

  it('fail again without a loss, and only one attempt runs at a time', async () => {
    const id = await failed();
    await expect(bench.store.retry(id, bench.path(TARGET), AUTHORITY)).rejects.toMatchObject({ rule: 'F9' });
    const two = await Promise.allSettled([
      bench.store.retry(id, bench.path('data/x'), AUTHORITY),
      bench.store.retry(id, bench.path('data/y'), AUTHORITY),
    ]);
    expect(two.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(Number(existsSync(bench.path('data/x'))) + Number(existsSync(bench.path('data/y')))).toBe(1);
  });

  it('a changed kept file is not published', async () => {
    const id = await failed();
    const path = join(bench.dataDir, 'sealed', id);
    rmSync(path);
    writeFileSync(path, 'b,2\n');
    await expect(bench.store.retry(id, bench.path('data/x'), AUTHORITY)).rejects.toMatchObject({
      rule: 'F9',
    });
    expect(existsSync(bench.path('data/x'))).toBe(false);
    expect(await bench.store.verify(id)).toMatch(/^its SHA-256 is/);
  });

  it.each(['..', '.', '', 'CON', 'a:b', 'x '.repeat(1), 'x.', 'a\nb', 'a\0b', 'x'.repeat(300), 'dir/'])(
    'B25 are not published under the name %j',
    async (name) => {
      const id = await failed();
      await expect(bench.store.retry(id, `${bench.path('data')}/${name}`, AUTHORITY)).rejects.toMatchObject({
        name: 'FileError',
      });
      expect(bench.store.list()).toMatchObject([{ state: 'failed', id }]);
    },
  );

  it.each(['audit/x', 'sealed/x', 'x'])('are not published into the data folder (%s)', async (name) => {
    const id = await failed();
    await expect(bench.store.retry(id, join(bench.dataDir, name), AUTHORITY)).rejects.toMatchObject({
      rule: 'F2',
    });
  });
});

describe('a second look', () => {
  it('shows the sealed file, and its approver is the one of the receipt', async () => {
    const looked: unknown[] = [];
    const second = {
      approver: { surface: 'page', id: 'second', display: 'Bea' },
      approvalId: '5f0c2d0e-1111-4222-8333-444455556666',
    };
    const receipt = await (await bench.staged('a,1\n')).publish({
      ...AUTHORITY,
      secondLook: async (file) => {
        looked.push(file);
        expect(existsSync(bench.path(TARGET))).toBe(false);
        return { outcome: 'approved', goodUntil: Number.POSITIVE_INFINITY, ...second };
      },
    });
    expect(looked).toEqual([
      { path: TARGET, destination: bench.path(TARGET), bytes: 4, sha256: sha256('a,1\n') },
    ]);
    expect(receipt).toMatchObject(second);
  });

  it.each([
    ['denied', 'the totals are wrong', 'A8'],
    ['expired', 'timeout', 'A5'],
    ['cancelled', 'Airlock ended', 'A8'],
  ] as const)('that is %s keeps the file, publishes nothing and says why', async (outcome, text, rule) => {
    const staging = await bench.staged('a,1\n');
    const secondLook = async () => ({ outcome, text });
    const refusal = await refusedAndKept(staging.publish({ ...AUTHORITY, secondLook }));
    expect(refusal).toMatchObject({ rule, text });
    expect(existsSync(bench.path(TARGET))).toBe(false);
  });
});

describe('airlock verify and published files', () => {
  it.each<[string, (path: string) => void, RegExp]>([
    ['is changed', (path) => writeFileSync(path, 'b,2\n'), /its SHA-256 is/],
    ['grew', (path) => appendFileSync(path, 'x'), /it has 5 bytes instead of 4/],
    ['is gone', (path) => rmSync(path), /it is not there/],
    ['is a link now', (path) => replace(path, () => symlinkSync('/etc/hostname', path)), /it is a link/],
  ])('names the receipt whose file %s', async (_, change, text) => {
    const receipt = await (await bench.staged('a,1\n')).publish(await bench.approved());
    await (await bench.staged('second', 'data/second')).publish(await bench.approved('data/second'));
    change(receipt.destination);
    expect(await bench.store.verify(receipt.id)).toMatch(text);
    const { broken } = await verifyAudit(bench.dataDir);
    // audit.created, requested, approved, sealed, prepared, finished
    expect(broken).toMatchObject({ kind: 'file', line: 6, event: 'publication.finished' });
    expect(broken?.message).toMatch(text);
    expect(broken?.message).toContain(receipt.destination);
  });

  it('names a receipt that no intent stands for', async () => {
    const receipt = await (await bench.staged('a,1\n')).publish(await bench.approved());
    const data = { publication_id: receipt.id, confirmed: true, error: null, receipt };
    await bench.audit.append({ event: 'publication.finished', sessionId: receipt.sessionId, data });
    expect((await verifyAudit(bench.dataDir)).broken).toMatchObject({ kind: 'receipt', line: 7 });
  });
});

function replace(path: string, make: () => void): void {
  rmSync(path);
  make();
}
