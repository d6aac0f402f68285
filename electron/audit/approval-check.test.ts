import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Receipt } from '../../shared/governed/receipt.ts';
import { canonicalJson, digestOf } from '../approvals/request.ts';
import type { AuditRecord } from '../governed/ports.ts';
import { approvedFile, Workbench } from '../publication/testing/workbench.ts';
import { SignedAuditLog } from './audit-log.ts';
import { verifyAudit } from './verify-audit.ts';

let retold: string;
beforeEach(() => {
  retold = mkdtempSync(join(tmpdir(), 'airlock-retold-'));
});
afterEach(() => rmSync(retold, { recursive: true }));

const benches: Workbench[] = [];
afterAll(() => Promise.all(benches.map((bench) => bench.end())));

async function newBench(): Promise<Workbench> {
  const bench = await new Workbench().start();
  benches.push(bench);
  return bench;
}

async function recordsOf(bench: Workbench): Promise<AuditRecord[]> {
  const all: AuditRecord[] = [];
  for await (const { event, sessionId, data } of bench.audit.entries())
    if (event !== 'audit.created') all.push({ event, sessionId, data });
  return all;
}

/** What a whole and well signed log says that tells this instead. */
async function brokenIn(told: readonly AuditRecord[]) {
  const log = await SignedAuditLog.open(retold);
  for (const record of told) await log.append(record);
  await log.close();
  return (await verifyAudit(retold)).broken;
}

async function tellCommand(): Promise<AuditRecord[]> {
  const bench = await newBench();
  await (await bench.staged('a,1\n')).publish(await bench.approved());
  return recordsOf(bench);
}

async function tellShellFile(): Promise<AuditRecord[]> {
  const bench = await newBench();
  bench.write('out/a', 'x');
  const file = { sessionId: 'shell-1', outFolder: bench.out, path: 'a' };
  const sealed = await bench.store.sealFromShell(file);
  const destination = bench.path('data/a');
  await bench.store.publishSealed(sealed, destination, await approvedFile(bench.audit, sealed, destination));
  return recordsOf(bench);
}

/** What happened, each once: requested, approved, sealed, started, prepared, finished. */
const stories = { command: await tellCommand(), shellFile: await tellShellFile() } as const;
type Story = keyof typeof stories;

const is = (event: string) => (record: AuditRecord) => record.event === event;
const without = (event: string) => (told: readonly AuditRecord[]) =>
  told.filter((record) => record.event !== event);
const changed =
  (event: string, data: Record<string, unknown>, sessionId?: string) => (told: readonly AuditRecord[]) =>
    told.map((record) =>
      record.event === event
        ? { ...record, sessionId: sessionId ?? record.sessionId, data: { ...record.data, ...data } }
        : record,
    );
const became = (outcome: string) => (told: readonly AuditRecord[]) =>
  told.map((record) => (record.event === 'approval.approved' ? { ...record, event: outcome } : record));
/** As another process would write it that holds the key: the request says something else, and its digest is right. */
const askedOf =
  (change: (payload: Record<string, unknown>) => object) =>
  (told: readonly AuditRecord[]): AuditRecord[] => {
    const request = told.find(is('approval.requested')) as AuditRecord;
    const before = JSON.parse(String(request.data['payload']));
    const payload = canonicalJson({ ...before, ...change(before) }) as string;
    const digest = digestOf(payload);
    const requested = changed('approval.requested', { payload, digest })(told);
    return changed('approval.approved', { digest })(requested);
  };
const moved = (event: string, before: string) => (told: readonly AuditRecord[]) => {
  const record = told.find(is(event)) as AuditRecord;
  const rest = told.filter((one) => one !== record);
  return rest.toSpliced(rest.findIndex(is(before)), 0, record);
};

const receiptOf = (told: readonly AuditRecord[]) =>
  told.find(is('publication.finished'))?.data['receipt'] as Receipt;

const STRANGER = { surface: 'page', id: 'other', display: 'Eve' };

type Mutation = (told: readonly AuditRecord[]) => readonly AuditRecord[];

const MUTATIONS: readonly [string, Mutation, RegExp][] = [
  ['has no decision', without('approval.approved'), /was asked for and not given before it/],
  ['has no request', without('approval.requested'), /is not in the log before it/],
  ['was denied', became('approval.denied'), /it was denied/],
  ['expired', became('approval.expired'), /it was expired/],
  ['was cancelled', became('approval.cancelled'), /it was cancelled/],
  [
    'expired while its approval was recorded',
    (told) => {
      const approval = told.find(is('approval.approved')) as AuditRecord;
      return told.toSpliced(told.indexOf(approval) + 1, 0, { ...approval, event: 'approval.expired' });
    },
    /it was expired/,
  ],
  [
    'was denied before somebody wrote that it was approved',
    (told) => {
      const approval = told.find(is('approval.approved')) as AuditRecord;
      return told.toSpliced(told.indexOf(approval), 0, { ...approval, event: 'approval.denied' });
    },
    /it was denied/,
  ],
  ['was decided afterwards', moved('approval.approved', 'publication.finished'), /not given before it/],
  [
    'approved another request',
    changed('approval.approved', { approvalId: '00000000-0000-4000-8000-000000000000' }),
    /not given/,
  ],
  [
    'approved another digest',
    changed('approval.approved', { digest: `sha256:${'0'.repeat(64)}` }),
    /not given/,
  ],
  [
    'is of a request whose digest is not that of its content',
    (told) => {
      const digest = `sha256:${'0'.repeat(64)}`;
      return changed('approval.approved', { digest })(changed('approval.requested', { digest })(told));
    },
    /not in the log/,
  ],
  ['is by another person', changed('approval.approved', { approver: STRANGER }), /another approver/],
  ['is by nobody', changed('approval.approved', { approver: null }), /another approver/],
  [
    'is of another session',
    (told) => changed('approval.approved', {}, 'other')(changed('approval.requested', {}, 'other')(told)),
    /another session/,
  ],
  ['is about another place', askedOf(() => ({ destination: '/elsewhere' })), /another destination/],
  ['is about no place', askedOf(() => ({ destination: null })), /another destination/],
  ['is about another file', askedOf(() => ({ files: { create: ['b'] } })), /another file/],
  ['publishes nothing', askedOf(() => ({ files: null })), /something that publishes nothing/],
  ['is about another command', askedOf(() => ({ tool: 'other.save' })), /another command/],
];

describe('A10 a receipt whose approval', () => {
  it.each(Object.keys(stories) as Story[])('%s: stands in the log as it happened holds', async (story) => {
    expect(await brokenIn(stories[story])).toBeNull();
  });

  it.each(
    (Object.keys(stories) as Story[]).flatMap((story) =>
      MUTATIONS.map((mutation) => [story, ...mutation] as const),
    ),
  )('%s: %s is the broken link', async (story, _, mutate, why) => {
    const told = mutate(stories[story]);
    const broken = await brokenIn(told);
    expect(broken).toMatchObject({ kind: 'receipt', event: 'publication.finished' });
    // Behind the log's own first line.
    expect(broken?.line).toBe(told.findIndex(is('publication.finished')) + 2);
    expect(broken?.message).toMatch(why);
    expect(broken?.message).toContain(receiptOf(told).id);
  });

  it.each([
    ['bytes', { bytes: 2 }],
    ['digest', { sha256: '0'.repeat(64) }],
  ])('shellFile: is about content of other %s is the broken link', async (_, part) => {
    const asked = askedOf(({ staged }) => ({ staged: { ...(staged as object), ...part } }));
    expect((await brokenIn(asked(stories.shellFile)))?.message).toMatch(/another content/);
  });

  it('command: does not finalize is the broken link', async () => {
    const told = askedOf(() => ({ session_finalizes: false }))(stories.command);
    expect((await brokenIn(told))?.message).toMatch(/another command/);
  });

  it('A4 was used for another publication is the broken link, and the first holds', async () => {
    const bench = await newBench();
    const authority = await bench.approved();
    await (await bench.staged('a,1\n')).publish(authority);
    const { destination } = await (await bench.staged('b,2\n', 'data/second')).publish(authority);
    expect((await verifyAudit(bench.dataDir)).broken?.message).toMatch(/used for another publication/);
    expect(await verifyAudit(bench.dataDir)).toMatchObject({ receipts: 1, broken: { line: 9 } });
    expect(destination).toBe(bench.path('data/second'));
  });

  it.each(Object.keys(stories) as Story[])('%s: is missing is the broken link (A1)', async (story) => {
    const receipt = receiptOf(stories[story]);
    const none = { approver: null, approvalId: null };
    const told = changed('publication.finished', { receipt: { ...receipt, ...none } })(
      changed('publication.prepared', { approver: null, approval_id: null })(stories[story]),
    );
    expect((await brokenIn(told))?.message).toMatch(/names no approval/);
  });
});
