import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandRequest } from '../../shared/governed/call.ts';
import type { ResultOf, Verb } from '../../shared/protocol/requests.ts';
import { sandboxProfiles } from '../../shared/settings/schema.ts';
import type { Moment } from '../../shared/transcripts/moment.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import type { TestClient } from '../connection/testing/test-client.ts';
import { ServeProcess, tabOf } from '../server/testing/serve-process.ts';
import { readEvents } from '../transcripts/cast/reader.ts';
import { ApprovalPageClient } from './testing/approval-page-client.ts';

const WITHIN_A_WHILE = { timeout: 10_000 };
type Ok<V extends Verb> = { value: ResultOf<V> };

let serve: ServeProcess;
let project: string;
let client: TestClient;
let page: ApprovalPageClient;

beforeEach(async () => {
  serve = new ServeProcess();
  project = mkdtempSync(join(tmpdir(), 'airlock-project-'));
  mkdirSync(join(project, 'data'));
  writeFileSync(join(project, 'data/rates.csv'), 'EUR,1\n');
  const tab = await tabOf((await serve.started()).address);
  client = tab.client;
  page = new ApprovalPageClient(tab.approvals);
});

afterEach(async () => {
  await serve.dispose();
  rmSync(project, { recursive: true });
});

async function openReportWriter(): Promise<string> {
  const catalog = await client.request('manifests.list', {});
  if (!catalog.ok) throw new Error(catalog.error.message);
  const loaded = catalog.value.manifests.find(({ manifest }) => manifest.name === 'report_writer');
  const opened = await client.request('governed.open', {
    profileId: 'shell',
    size: { cols: 80, rows: 24 },
    manifestDigest: loaded?.digest as string,
    project,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value.sessionId;
}

const call = (command: string, text: string): CommandRequest => ({ command, text, args: {} });
const run = (sessionId: string, command: string, text: string) =>
  client.request('governed.run', { sessionId, request: call(command, text) });

/** Commands, request, decision and receipt are moments of the session's transcript, and the receipt names its moment. */
async function expectLinked(sessionId: string, listed: unknown): Promise<void> {
  const { value } = listed as Ok<'publications.list'>;
  const [publication] = value.publications;
  if (publication?.state !== 'published') throw new Error('nothing was published');
  const { receipt } = publication;
  const moments: Moment[] = [];
  let endedAt: number | null = null;
  await vi.waitUntil(() => {
    moments.length = 0;
    for (const event of readEvents(join(serve.dataDir, 'transcripts', sessionId))) {
      if (event.kind === 'moment') moments.push(event.moment);
      if (event.kind === 'ended') endedAt = event.atMs;
    }
    return endedAt !== null;
  }, WITHIN_A_WHILE);
  const { approvalId } = receipt;
  expect(moments.map(({ kind }) => kind).filter((kind) => kind !== 'route')).toEqual([
    ...['command-start', 'command-end', 'command-start', 'command-end'],
    ...['approval-requested', 'approval-decided', 'command-start', 'publication', 'command-end'],
  ]);
  expect(moments).toContainEqual(expect.objectContaining({ kind: 'approval-requested', approvalId }));
  expect(moments).toContainEqual(
    expect.objectContaining({ kind: 'approval-decided', approvalId, outcome: 'approved' }),
  );
  const published = moments.find(({ kind }) => kind === 'publication');
  expect(published).toMatchObject({ receiptId: receipt.id, path: 'data/report.csv' });
  expect(receipt.transcript?.id).toBe(sessionId);
  expect(receipt.transcript?.atMs).toBeLessThanOrEqual(published?.atMs ?? 0);
}

describe('a governed session, from its manifest to its receipt', () => {
  it('runs commands, asks for the finalizing one, publishes the file, and the log proves it', async () => {
    const sessionId = await openReportWriter();
    const looked = await run(sessionId, 'look', 'rates');
    expect(looked).toMatchObject({
      ok: true,
      value: { execution_status: 'prompt_observed', file_publication: 'pending', exit_code: null },
    });
    expect(looked.ok && looked.value.results.output).toContain('EUR,1');
    expect((await run(sessionId, 'add', 'add coffee,3')).ok).toBe(true);
    const check = await client.request('governed.check', { sessionId, request: call('add', 'add x;y') });
    expect(check).toMatchObject({ ok: true, value: { line: null, problems: [{ field: 'command' }] } });
    const outside = await run(sessionId, 'add', 'add coffee,3; rm');
    expect(outside).toMatchObject({ ok: false, error: { tag: 'governed-refused', details: { rule: 'M8' } } });

    const saving = run(sessionId, 'save', 'save-report');
    const { payload } = await page.approve();
    expect(payload).toMatchObject({
      command: 'save-report',
      session_finalizes: true,
      destination: join(project, 'data/report.csv'),
      staged: { bytes: 9, sha256: null },
      files: { create: ['data/report.csv'], overwrite: false },
    });
    const saved = await saving;
    expect(saved).toMatchObject({
      ok: true,
      value: {
        execution_status: 'session_finalized',
        file_publication: 'published',
        created_files: [{ path: 'data/report.csv' }],
      },
    });
    expect(readFileSync(join(project, 'data/report.csv'), 'utf8')).toBe('coffee,3\n');
    await client.until(() => client.states(sessionId).includes('ended'));

    const listed = await client.request('publications.list', {});
    expect(listed).toMatchObject({
      ok: true,
      value: {
        publications: [
          {
            state: 'published',
            receipt: { command: 'report_writer.save', approver: { surface: 'browser' } },
          },
        ],
      },
    });
    expect(await verifyAudit(serve.dataDir)).toMatchObject({ ok: true, receipts: 1 });
    await expectLinked(sessionId, listed);
    writeFileSync(join(project, 'data/report.csv'), 'coffee,4\n');
    expect(await verifyAudit(serve.dataDir)).toMatchObject({ ok: false, broken: { kind: 'file' } });
  });

  it('a profile that wants a second look asks again with the digest of the sealed file (DESIGN 7)', async () => {
    await client.changeSettings((settings) => ({
      ...settings,
      profiles: sandboxProfiles(settings).map((profile) => ({ ...profile, secondLook: true })),
    }));
    const sessionId = await openReportWriter();
    expect((await run(sessionId, 'add', 'add tea,2')).ok).toBe(true);
    const saving = run(sessionId, 'save', 'save-report');
    await page.approve();
    const { payload } = await page.approve();
    const sha256 = createHash('sha256').update('tea,2\n').digest('hex');
    expect(payload).toMatchObject({ kind: 'publication', staged: { bytes: 6, sha256 } });
    expect(await saving).toMatchObject({ ok: true, value: { created_files: [{ sha256 }] } });
  });

  it('a denied command does nothing, and the session lives on (A8)', async () => {
    const sessionId = await openReportWriter();
    const saving = run(sessionId, 'save', 'save-report');
    await page.deny('not yet');
    expect(await saving).toMatchObject({
      ok: false,
      error: { tag: 'governed-refused', message: 'not yet', details: { rule: 'A8', session: 'lives' } },
    });
    expect((await run(sessionId, 'look', 'count')).ok).toBe(true);
  });

  it('while a decision is open the route is the prompt, and cancelling takes the question away (ST-18, A9)', async () => {
    const sessionId = await openReportWriter();
    const saving = run(sessionId, 'save', 'save-report');
    await page.shown();
    const routes = () =>
      client.events.flatMap((event) =>
        event.event === 'session.state' && event.sessionId === sessionId && event.state.kind === 'running'
          ? [event.state.route]
          : [],
      );
    expect(routes().at(-1)).toBe('prompt');
    await client.request('governed.cancel', { sessionId });
    expect(await saving).toMatchObject({ ok: false, error: { details: { rule: 'A8' } } });
    expect(routes().at(-1)).toBe('sandbox');
  });

  it('what is typed into it goes nowhere, and its end takes everything away', async () => {
    const sessionId = await openReportWriter();
    expect((await run(sessionId, 'look', 'count')).ok).toBe(true);
    client.input(1, 'exit\r');
    await client.until(() => client.events.some(({ event }) => event === 'session.notice'));
    expect((await run(sessionId, 'look', 'count')).ok).toBe(true);
    await client.request('session.end', { sessionId });
    await client.until(() => client.states(sessionId).at(-1) === 'ended');
    expect(await run(sessionId, 'look', 'count')).toMatchObject({ ok: false });
  });
});

describe('"Publish…" from a shell', () => {
  it('seals a file of /out, shows its digest, and publishes exactly that', async () => {
    const { sessionId, channel } = await client.open();
    client.input(channel, 'mkdir /out/r; printf first > /out/r/a.txt; ln -s a.txt /out/l; echo "ma"de\r');
    await client.until(() => /made\r\n/.test(client.output(channel)));
    const listed = await client.request('outfiles.list', { sessionId });
    expect(listed).toMatchObject({
      ok: true,
      value: {
        files: [
          { path: 'l', refused: expect.stringContaining('link') },
          { path: 'r/a.txt', bytes: 5 },
        ],
      },
    });
    const destination = join(project, 'a.txt');
    const publishing = client.request('publication.begin', { sessionId, path: 'r/a.txt', destination });
    await page.shown();
    client.input(channel, 'printf second > /out/r/a.txt\r');
    const { payload } = await page.approve();
    expect(payload).toMatchObject({ kind: 'publication', destination, staged: { bytes: 5 } });
    expect(await publishing).toMatchObject({
      ok: true,
      value: { state: 'published', receipt: { bytes: 5 } },
    });
    expect(readFileSync(destination, 'utf8')).toBe('first');
    const again = await client.request('publication.begin', { sessionId, path: 'r/a.txt', destination });
    expect(again).toMatchObject({
      ok: false,
      error: { tag: 'publication-refused', details: { rule: 'F4' } },
    });
  });

  it('denied: nothing is published and nothing is kept', async () => {
    const { sessionId, channel } = await client.open();
    client.input(channel, 'printf x > /out/a; echo "ma"de\r');
    await client.until(() => /made\r\n/.test(client.output(channel)));
    const publishing = client.request('publication.begin', {
      sessionId,
      path: 'a',
      destination: join(project, 'a'),
    });
    await page.deny('');
    expect(await publishing).toMatchObject({ ok: false, error: { tag: 'publication-refused' } });
    expect(await client.request('publications.list', {})).toMatchObject({ value: { publications: [] } });
  });
});
