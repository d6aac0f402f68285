import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Publication, Receipt } from '../../shared/governed/receipt.ts';
import { auditCheckSchema, publicationCheckSchema } from '../../shared/governed/verification.ts';
import { AUTHORITY, Workbench } from '../publication/testing/workbench.ts';
import { auditPaths } from './audit-folder.ts';
import { checkAudit, checkPublication } from './check-audit.ts';
import { verifyAudit } from './verify-audit.ts';

let bench: Workbench;
let receipts: Receipt[];
beforeEach(async () => {
  bench = await new Workbench().start();
  receipts = [];
  for (const name of ['data/a', 'data/b', 'data/c'])
    receipts.push(await (await bench.staged(name, name)).publish(await bench.approved(name)));
});
afterEach(() => bench.end());

const published = (receipt: Receipt): Publication => ({ state: 'published', receipt });
const checkOf = async (publication: Publication) =>
  publicationCheckSchema.parse(await checkPublication(bench.dataDir, publication));

/** Line 1 is the log's own; each publication has five, the last that it is finished. */
function changeLine(n: number): void {
  const { log } = auditPaths(bench.dataDir);
  const lines = readFileSync(log, 'utf8').split('\n');
  lines[n - 1] = (lines[n - 1] as string).replace('session-1', 'session-2');
  writeFileSync(log, lines.join('\n'));
}

it('finds nothing where nothing is wrong', async () => {
  expect(auditCheckSchema.parse(await checkAudit(bench.dataDir))).toMatchObject({
    records: 16,
    receipts: 3,
    broken: null,
    files: [],
  });
  for (const receipt of receipts) expect(await checkOf(published(receipt))).toMatchObject({ state: 'ok' });
});

it('names every file that changed, and the first of them as the first broken link', async () => {
  const [, second, third] = receipts as [Receipt, Receipt, Receipt];
  writeFileSync(second.destination, 'changed');
  rmSync(third.destination);
  const { broken, files } = auditCheckSchema.parse(await checkAudit(bench.dataDir));
  expect([broken, files.map(({ receiptId }) => receiptId)]).toEqual([null, [second.id, third.id]]);
  expect((await verifyAudit(bench.dataDir)).broken).toMatchObject({ kind: 'file', line: 11 });
  expect(await checkOf(published(third))).toMatchObject({
    state: 'broken',
    problems: [expect.stringContaining('it is not there')],
  });
});

it('trusts the receipts before a changed line and none after it', async () => {
  changeLine(10);
  expect(await checkAudit(bench.dataDir)).toMatchObject({ records: 9, receipts: 1, broken: { line: 10 } });
  const states = await Promise.all(receipts.map((receipt) => checkOf(published(receipt))));
  expect(states.map(({ state }) => state)).toEqual(['ok', 'broken', 'broken']);
});

it('a changed file before a changed line is the first broken link', async () => {
  rmSync((receipts[0] as Receipt).destination);
  changeLine(10);
  expect(await verifyAudit(bench.dataDir)).toMatchObject({
    broken: { kind: 'file', line: 6 },
    chain: { line: 10 },
  });
});

it('a receipt that says something else than the log is broken', async () => {
  const [first, second] = receipts as [Receipt, Receipt];
  const forged = { ...first, destination: second.destination, bytes: second.bytes, sha256: second.sha256 };
  expect(await checkOf(published(forged))).toMatchObject({ state: 'broken' });
});

it('of a failed publication checks the kept file', async () => {
  const staging = await bench.staged('kept', 'data/d');
  await expect(staging.publish({ ...AUTHORITY, stillHolds: () => false })).rejects.toThrow();
  const [failed] = bench.store.list() as [Extract<Publication, { state: 'failed' }>];
  expect(await checkOf(failed)).toMatchObject({ state: 'ok' });
  rmSync(failed.kept);
  expect(await checkOf(failed)).toMatchObject({ state: 'broken' });
});
