import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApprovalQueue } from '../approvals/approval-queue.ts';
import { MemoryAuditLog } from '../approvals/testing/memory-audit-log.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { approvedFile } from '../publication/testing/workbench.ts';
import { SessionPlaces } from '../session/session-places.ts';
import { MemoryRecordings } from '../session/testing/memory-recordings.ts';
import { GovernedHost } from './governed-host.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'airlock-governed-host-')));
  mkdirSync(join(base, 'data'));
  mkdirSync(join(base, 'out'));
  writeFileSync(join(base, 'out', 'a'), 'x');
});
afterEach(() => rmSync(base, { recursive: true }));

it('F10 the receipt of a publication that is under way when the host closes is in the log', async () => {
  const dataDir = join(base, 'data');
  const host = await GovernedHost.open({
    dataDir,
    examplesFolder: null,
    engines: new Map(),
    ledgerFolder: join(base, 'sessions'),
    approvals: new ApprovalQueue({ audit: new MemoryAuditLog() }),
    recordings: new MemoryRecordings(),
    places: new SessionPlaces(),
    keyWrapper: null,
  });
  const outFolder = { path: join(base, 'out'), isStillThere: () => true };
  const sealed = await host.publications.sealFromShell({ sessionId: 'shell-1', outFolder, path: 'a' });
  const destination = join(base, 'published');
  const authority = await approvedFile(host.audit, sealed, destination);
  const publishing = host.publications.publishSealed(sealed, destination, authority);
  await host.close();
  expect(await publishing).toMatchObject({ destination });
  expect(readFileSync(destination, 'utf8')).toBe('x');
  expect(await verifyAudit(dataDir)).toMatchObject({ ok: true, receipts: 1 });
});
