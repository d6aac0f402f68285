import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { auditPaths } from './audit-folder.ts';
import { SignedAuditLog } from './audit-log.ts';
import { verifyAudit } from './verify-audit.ts';

const LINES = 8;
let dataDir: string;
let path: string;
/** The data folder as it was when its log was written. */
let pristine: string;
let lines: readonly string[];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'airlock-verify-'));
  path = auditPaths(dataDir).log;
  const log = await SignedAuditLog.open(dataDir);
  for (let i = 1; i < LINES; i++)
    await log.append({ event: 'test.happened', sessionId: null, data: { i, text: 'é\u{1f600}' } });
  await log.close();
  lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  pristine = mkdtempSync(join(tmpdir(), 'airlock-verify-'));
  cpSync(dataDir, pristine, { recursive: true });
});
afterEach(() => writeFileSync(path, whole(lines)));
afterAll(() => {
  for (const folder of [dataDir, pristine]) rmSync(folder, { recursive: true });
});

const whole = (some: readonly string[]) => some.map((line) => `${line}\n`).join('');
const index = fc.nat(LINES - 1);

async function brokenAt(bytes: string | Uint8Array): Promise<number | null | undefined> {
  writeFileSync(path, bytes);
  const result = await verifyAudit(dataDir);
  expect(result.ok).toBe(result.broken === null);
  return result.broken?.line;
}

describe('verifyAudit names the first broken link', () => {
  it('and none in a log that is as it was written', async () => {
    expect(await brokenAt(whole(lines))).toBe(undefined);
  });

  it('for any flipped bit', async () => {
    const intact = Buffer.from(whole(lines));
    await fc.assert(
      fc.asyncProperty(fc.nat(intact.length - 1), fc.nat(7), async (at, bit) => {
        const changed = Buffer.from(intact);
        changed[at] = (changed[at] as number) ^ (1 << bit);
        const line = intact.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;
        expect(await brokenAt(changed)).toBe(line);
      }),
      { numRuns: 200 },
    );
  });

  it('for any removed line', async () => {
    await fc.assert(
      fc.asyncProperty(index, async (at) => {
        expect(await brokenAt(whole(lines.toSpliced(at, 1)))).toBe(at + 1);
      }),
      { numRuns: 40 },
    );
  });

  it('for any two swapped lines', async () => {
    await fc.assert(
      fc.asyncProperty(index, index, async (a, b) => {
        fc.pre(a !== b);
        const swapped = lines.with(a, lines[b] as string).with(b, lines[a] as string);
        expect(await brokenAt(whole(swapped))).toBe(Math.min(a, b) + 1);
      }),
      { numRuns: 60 },
    );
  });

  it('for any added line, of the log or not', async () => {
    const added = fc.oneof(
      index.map((i) => lines[i] as string),
      fc.constantFrom('', '{}', 'null'),
      fc.string().filter((text) => !text.includes('\n')),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(LINES), added, async (at, line) => {
        // A copy right behind its original is the second of the two, wherever it was put.
        const first = lines[at] === line ? at + 2 : at + 1;
        expect(await brokenAt(whole(lines.toSpliced(at, 0, line)))).toBe(first);
      }),
      { numRuns: 200 },
    );
  });

  it('for any end that was cut off at a line', async () => {
    for (let kept = 0; kept < LINES; kept++)
      expect(await brokenAt(whole(lines.slice(0, kept)))).toBe(kept + 1);
  });

  it('for a line that is spelled otherwise and means the same', async () => {
    for (const at of lines.keys()) {
      const respelled = lines.with(at, (lines[at] as string).replace(':', ': '));
      expect(await brokenAt(whole(respelled))).toBe(at + 1);
    }
  });

  it('for a line of the same number and key from another course of events', async () => {
    const fork = mkdtempSync(join(tmpdir(), 'airlock-verify-'));
    cpSync(dataDir, fork, { recursive: true });
    const log = await SignedAuditLog.open(fork);
    for (const i of [1, 2]) await log.append({ event: 'test.happened', sessionId: null, data: { fork: i } });
    await log.close();
    const forked = readFileSync(auditPaths(fork).log, 'utf8').split('\n').slice(0, -1);
    const here = await SignedAuditLog.open(dataDir);
    for (const i of [1, 2]) await here.append({ event: 'test.happened', sessionId: null, data: { here: i } });
    await here.close();
    const own = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    expect(await brokenAt(whole(own))).toBe(undefined);
    expect(await brokenAt(whole(own.with(-1, forked.at(-1) as string)))).toBe(LINES + 2);
    // It follows what was before it; what was after it does not follow.
    expect(await brokenAt(whole(own.with(-2, forked.at(-2) as string)))).toBe(LINES + 2);
    rmSync(fork, { recursive: true });
    // The other cases go on from the log as it was, and from the mark of that length.
    cpSync(pristine, dataDir, { recursive: true });
  });

  it('for a log that another key signed from the start', async () => {
    const other = mkdtempSync(join(tmpdir(), 'airlock-verify-'));
    const log = await SignedAuditLog.open(other);
    await log.close();
    expect(await brokenAt(readFileSync(auditPaths(other).log))).toBe(1);
    rmSync(other, { recursive: true });
  });

  it('for a line of another length than any record can have', async () => {
    expect(await brokenAt(`${whole(lines.slice(0, 2))}${'x'.repeat(3_000_000)}\n`)).toBe(3);
  });
});

it('a folder without a log is fine, and says that nothing was recorded', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'airlock-verify-'));
  expect(await verifyAudit(empty)).toMatchObject({
    ok: true,
    lines: 0,
    notes: ['Nothing was recorded yet.'],
  });
  rmSync(empty, { recursive: true });
});

it('a log whose public key is gone is broken', async () => {
  const key = auditPaths(dataDir).publicKey;
  const kept = readFileSync(key);
  rmSync(key);
  expect((await verifyAudit(dataDir)).broken).toMatchObject({ kind: 'key', line: null });
  writeFileSync(key, kept);
});
