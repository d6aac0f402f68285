import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUDIT_LINE_MAX_BYTES } from '../../shared/governed/limits.ts';
import { sha256 } from '../publication/sha256.ts';
import { thisHost } from '../session/host-identity.ts';
import { AuditError } from './audit-error.ts';
import { auditPaths, prepareAuditFolder } from './audit-folder.ts';
import { SignedAuditLog } from './audit-log.ts';
import { FileKeyStore, type KeyWrapper } from './key-store.ts';
import { verifyAudit } from './verify-audit.ts';

let dataDir: string;
const open: SignedAuditLog[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'airlock-audit-'));
});
afterEach(async () => {
  for (const log of open.splice(0)) await log.close();
  rmSync(dataDir, { recursive: true });
});

async function openLog(keyStore?: FileKeyStore): Promise<SignedAuditLog> {
  const log = await SignedAuditLog.open(dataDir, keyStore === undefined ? {} : { keyStore });
  open.push(log);
  return log;
}

const fact = (text: string) => ({ event: 'test.happened', sessionId: 's', data: { text } });
async function entries(log: SignedAuditLog) {
  const all = [];
  for await (const entry of log.entries()) all.push(entry);
  return all;
}
const events = async (log: SignedAuditLog) => (await entries(log)).map(({ event }) => event);
const mode = (path: string) => statSync(path).mode & 0o777;
const paths = () => auditPaths(dataDir);

describe('SignedAuditLog', () => {
  it('makes folder 0700, log and key 0600 on first use', async () => {
    await openLog();
    expect(mode(paths().folder)).toBe(0o700);
    expect([paths().log, paths().key, paths().head].map(mode)).toEqual([0o600, 0o600, 0o600]);
  });

  it('keeps the order in which append was called, and continues the chain when opened again', async () => {
    const first = await openLog();
    await Promise.all(Array.from({ length: 50 }, (_, i) => first.append(fact(String(i)))));
    await first.close();
    const second = await openLog();
    await second.append(fact('50'));
    const texts = (await entries(second)).slice(1).map(({ data }) => data['text']);
    expect(texts).toEqual(Array.from({ length: 51 }, (_, i) => String(i)));
    expect(await verifyAudit(dataDir)).toMatchObject({
      ok: true,
      lines: 52,
      keyFingerprint: second.keyFingerprint,
    });
  });

  it('records what the data was when append was called', async () => {
    const log = await openLog();
    const data = { text: 'before' };
    const done = log.append({ event: 'test.happened', sessionId: null, data });
    data.text = 'after';
    await done;
    expect(readFileSync(paths().log, 'utf8')).toContain('"before"');
  });

  it.each([
    ['a lone surrogate', { text: '\ud800' }],
    ['a cycle', Object.assign({}, { self: null as unknown })],
    ['more than a line can hold', { text: 'x'.repeat(AUDIT_LINE_MAX_BYTES) }],
  ])('refuses %s and records the next one', async (name, data) => {
    if (name === 'a cycle') (data as { self: unknown }).self = data;
    const log = await openLog();
    await expect(log.append({ event: 'test.happened', sessionId: null, data })).rejects.toMatchObject({
      tag: 'refused',
    });
    await log.append(fact('next'));
    expect(await events(log)).toEqual(['audit.created', 'test.happened']);
    expect((await verifyAudit(dataDir)).ok).toBe(true);
  });

  it('refuses an event name that is not one', async () => {
    const log = await openLog();
    await expect(log.append({ event: 'No\nName', sessionId: null, data: {} })).rejects.toMatchObject({
      tag: 'refused',
    });
  });

  it('sets a torn last line aside and records that', async () => {
    const first = await openLog();
    await first.append(fact('whole'));
    await first.close();
    const torn = '{"at":"2026-01-01T00:00:00.000Z","data":{"te';
    appendFileSync(paths().log, torn);
    expect((await verifyAudit(dataDir)).notes.join()).toContain('a part of one');

    const second = await openLog();
    expect(await events(second)).toEqual(['audit.created', 'test.happened', 'audit.torn_line']);
    const [file] = readdirSync(paths().folder).filter((name) => name.startsWith('torn-'));
    expect(readFileSync(join(paths().folder, file as string), 'utf8')).toBe(torn);
    const result = await verifyAudit(dataDir);
    expect(result).toMatchObject({ ok: true, lines: 3 });
    expect(result.notes.join()).toContain(file);

    rmSync(join(paths().folder, file as string));
    expect((await verifyAudit(dataDir)).broken).toMatchObject({ kind: 'file', line: 3 });
  });

  it.each(['', '{"ha'])(
    'keeps all of a torn line of which %j was set aside by a start that failed',
    async (part) => {
      await (await openLog()).close();
      const torn = '{"half a record';
      appendFileSync(paths().log, torn);
      const file = join(paths().folder, `torn-${sha256(Buffer.from(torn))}.part`);
      writeFileSync(file, part);
      expect(await events(await openLog())).toEqual(['audit.created', 'audit.torn_line']);
      expect(readFileSync(file, 'utf8')).toBe(torn);
      expect(await verifyAudit(dataDir)).toMatchObject({ ok: true });
    },
  );

  it('makes files anew that an earlier version left empty before anything was recorded', async () => {
    await prepareAuditFolder(paths().folder);
    for (const path of [paths().key, paths().publicKey, paths().head])
      writeFileSync(path, '', { mode: 0o600 });
    await openLog();
    expect(await verifyAudit(dataDir)).toMatchObject({ ok: true, lines: 1 });
  });

  it('does not take an empty key for none once something was signed', async () => {
    await (await openLog()).close();
    writeFileSync(paths().key, '');
    await expect(openLog()).rejects.toMatchObject({
      tag: 'broken',
      message: expect.stringContaining('is gone'),
    });
  });

  it('records a torn line that an earlier start only managed to move', async () => {
    await (await openLog()).close();
    appendFileSync(paths().log, '{"half');
    const second = await openLog();
    await second.close();
    // The crash came between the move and the record: the log is as it was before that record.
    const [created] = readFileSync(paths().log, 'utf8').split('\n');
    writeFileSync(paths().log, `${created}\n`);
    const kept = await import('node:crypto').then(({ createHash }) =>
      createHash('sha256').update(String(created)).digest('hex'),
    );
    const { HeadFile } = await import('./log-head.ts');
    const key = await new FileKeyStore(paths()).read();
    const head = await HeadFile.open(paths().head, key as NonNullable<typeof key>);
    await head.write({ n: 1, hash: kept });
    await head.close();
    expect(await events(await openLog())).toEqual(['audit.created', 'audit.torn_line']);
  });

  it('takes over the lock of a process that died while it took one over', async () => {
    await (await openLog()).close();
    const stale = JSON.stringify({ ...thisHost(), startTime: '1' });
    for (const path of [paths().lock, `${paths().lock}.takeover`]) writeFileSync(path, stale);
    await openLog();
  });

  it('has one writer', async () => {
    await openLog();
    await expect(SignedAuditLog.open(dataDir)).rejects.toMatchObject({ tag: 'locked' });
    await (open.pop() as SignedAuditLog).close();
    await openLog();
  });

  it.each([
    ['a dead process', { pid: 2 ** 22 - 1, startTime: '1' }, true],
    ['a process that has the number of a dead one', { startTime: '1' }, true],
    ['an earlier boot', { bootId: 'other' }, true],
    ['another machine', { machine: 'elsewhere' }, false],
  ])('takes over the lock of %s: %#', async (_, change, taken) => {
    await (await openLog()).close();
    writeFileSync(paths().lock, JSON.stringify({ ...thisHost(), ...change }));
    if (taken) await openLog();
    else await expect(SignedAuditLog.open(dataDir)).rejects.toMatchObject({ tag: 'locked' });
    expect(readdirSync(paths().folder).filter((name) => name.startsWith('lock.json.'))).toEqual([]);
    rmSync(paths().lock, { force: true });
  });

  it('whose writer was of another machine, or of this one by another name, says what to do', async () => {
    await (await openLog()).close();
    const locked = async (change: Partial<ReturnType<typeof thisHost>>) => {
      writeFileSync(paths().lock, JSON.stringify({ ...thisHost(), ...change }));
      const error = await SignedAuditLog.open(dataDir).catch((reason: Error) => reason);
      rmSync(paths().lock);
      return (error as Error).message;
    };
    const advice = `has another name now, remove ${paths().lock}.`;
    const [, id = ''] = thisHost().machine.split(' ');
    expect(await locked({ machine: `former-name ${id}`, bootId: 'other' })).toContain(advice);
    expect(await locked({})).not.toContain('remove');
  });

  it.each([1, 2, 3, 4, 5])('only one of many takes a stale lock over: %#', async () => {
    await (await openLog()).close();
    writeFileSync(paths().lock, JSON.stringify({ ...thisHost(), startTime: '1' }));
    const tries = await Promise.allSettled(Array.from({ length: 48 }, () => SignedAuditLog.open(dataDir)));
    const won = tries.filter((result) => result.status === 'fulfilled');
    for (const { value } of won) open.push(value);
    expect(won).toHaveLength(1);
  });

  it.each([
    [
      'its last line is cut off',
      (log: string) =>
        log
          .split('\n')
          .slice(0, -2)
          .map((line) => `${line}\n`)
          .join(''),
    ],
    ['its last line is changed', (log: string) => log.replace('"last"', '"l4st"')],
    ['it is emptied', () => ''],
  ])('does not continue a log when %s', async (_, change) => {
    const log = await openLog();
    await log.append(fact('last'));
    await log.close();
    writeFileSync(paths().log, change(readFileSync(paths().log, 'utf8')));
    await expect(SignedAuditLog.open(dataDir)).rejects.toMatchObject({ tag: 'broken' });
    expect((await verifyAudit(dataDir)).ok).toBe(false);
  });

  it.each(['key', 'head', 'publicKey'] as const)(
    'does not continue a log without its %s, or makes it anew',
    async (name) => {
      await (await openLog()).close();
      rmSync(paths()[name]);
      // The public key alone follows from the private one.
      if (name === 'publicKey') await openLog();
      else await expect(SignedAuditLog.open(dataDir)).rejects.toBeInstanceOf(AuditError);
    },
  );

  it('does not use a key that others may read', async () => {
    await (await openLog()).close();
    const { chmodSync } = await import('node:fs');
    chmodSync(paths().key, 0o644);
    await expect(SignedAuditLog.open(dataDir)).rejects.toThrow('others may read it');
  });

  it('keeps the key wrapped where a wrapper is given, and says so where it is missing', async () => {
    const flip = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 0x5a);
    const wrapper: KeyWrapper = { wrap: flip, unwrap: flip };
    const wrapped = new FileKeyStore(paths(), wrapper);
    const log = await openLog(wrapped);
    await log.append(fact('signed'));
    await log.close();
    const plain = JSON.parse(readFileSync(paths().key, 'utf8'));
    expect(plain.protection).toBe('wrapped');
    await expect(SignedAuditLog.open(dataDir)).rejects.toThrow("protected by the desktop's key ring");
    await openLog(wrapped);
    expect((await verifyAudit(dataDir)).ok).toBe(true);
  });
});
