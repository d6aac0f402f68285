import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { APPROVAL } from '../../shared/governed/limits.ts';
import { type AnyProfile, DEFAULT_PROFILE } from '../../shared/settings/schema.ts';
import { eventually } from '../connection/testing/eventually.ts';
import { FakeClock } from '../governed/controller/testing/fake-clock.ts';
import { HostTokens } from '../settings/host-tokens.ts';
import { defaultSettings } from '../settings/settings-document.ts';
import { openConfFile } from '../settings/settings-file.ts';
import { SettingsStore } from '../settings/settings-store.ts';
import { replaceSettings } from '../settings/testing/replace-settings.ts';
import { ApprovalQueue, type Approver } from './approval-queue.ts';
import { SymbiontRuntimes } from './symbiont-runtimes.ts';
import { MemoryAuditLog } from './testing/memory-audit-log.ts';
import { SymbiontFake } from './testing/symbiont-fake.ts';

const PERSON: Approver = { surface: 'desktop', id: '1000', display: 'someone' };

let fake: SymbiontFake;
let dataDir: string;
let settings: SettingsStore;
let audit: MemoryAuditLog;
let clock: FakeClock;
let queue: ApprovalQueue;
let runtimes: SymbiontRuntimes;

beforeEach(async () => {
  fake = await SymbiontFake.start();
  dataDir = mkdtempSync(join(tmpdir(), 'airlock-runtimes-'));
  settings = new SettingsStore(dataDir, openConfFile);
  audit = new MemoryAuditLog();
  clock = new FakeClock();
  queue = new ApprovalQueue({ audit, clock });
  saveProfiles(runtime());
  start();
});

afterEach(async () => {
  await runtimes.close();
  await queue.close();
  settings.dispose();
  await fake.close().catch(() => {});
  rmSync(dataDir, { recursive: true });
});

function start(recordable: Promise<unknown> = Promise.resolve()): void {
  const pacing = { pollMs: 20, failingPollMaxMs: 40, limitedPollMs: 60 };
  const tokens = new HostTokens(dataDir, 'symbiont', null);
  runtimes = new SymbiontRuntimes({ settings, tokens, queue, recordable, pacing });
}

function runtime(changes: object = {}): AnyProfile {
  return { kind: 'symbiont', id: 'ops', name: 'Operations', address: fake.address, ...changes };
}

function saveProfiles(...profiles: AnyProfile[]): void {
  const saved = replaceSettings(settings, { ...defaultSettings(), profiles: [DEFAULT_PROFILE, ...profiles] });
  if (!saved.ok) throw new Error(saved.error.message);
}

const statusOf = (id = 'ops') => runtimes.list().find(({ profileId }) => profileId === id)?.status;
const tokenFiles = () => readdirSync(join(dataDir, 'symbiont'));
const becomes = (kind: string, id = 'ops') => eventually(() => expect(statusOf(id)?.kind).toBe(kind));
const waits = (count: number) => eventually(() => expect(queue.waiting()).toHaveLength(count));

async function approve(): Promise<void> {
  await waits(1);
  const [{ request, viewings } = expect.fail('nothing waits')] = queue.waiting();
  const viewing = viewings.open();
  viewings.setReady(viewing, true);
  clock.jump(APPROVAL.armMs);
  expect(await queue.approve({ id: request.id, digest: request.digest, viewing }, PERSON)).toMatchObject({
    value: { outcome: 'approved' },
  });
}

describe('a Symbiont runtime of the settings', () => {
  it('is asked nothing without a token; with one it is followed, and what it holds is decided', async () => {
    expect(runtimes.list()).toEqual([{ profileId: 'ops', status: { kind: 'no-token' } }]);
    expect(fake.requests).toEqual([]);
    const { id } = fake.hold();
    expect(runtimes.setToken('ops', fake.token)).toEqual({ ok: true, value: null });
    await approve();
    expect(fake.decided).toMatchObject([{ id, decision: 'approve' }]);
    expect(audit.events).toEqual(['approval.requested', 'approval.approved', 'approval.delivered']);
  });

  it('that goes away is failing, with nothing offered, and followed again when it is back', async () => {
    fake.hold();
    runtimes.setToken('ops', fake.token);
    await waits(1);
    const { port } = fake;
    await fake.close();
    await becomes('failing');
    await waits(0);
    await fake.listen(port);
    await becomes('following');
    await approve();
  });

  it('is followed from the start on when its token is kept', async () => {
    runtimes.setToken('ops', fake.token);
    await runtimes.close();
    start();
    await becomes('following');
  });

  it('whose token is forgotten is followed no longer', async () => {
    fake.hold();
    runtimes.setToken('ops', fake.token);
    await waits(1);
    runtimes.forgetToken('ops');
    expect(statusOf()).toEqual({ kind: 'no-token' });
    await waits(0);
    expect(tokenFiles()).toEqual([]);
  });

  it('whose token is replaced is asked with the new one', async () => {
    runtimes.setToken('ops', 'wrong');
    await becomes('failing');
    runtimes.setToken('ops', fake.token);
    await becomes('following');
  });

  it('that gets another address keeps no token for it: a changed profile sends the token nowhere', async () => {
    const thief = await SymbiontFake.start();
    runtimes.setToken('ops', fake.token);
    await becomes('following');
    saveProfiles(runtime({ address: thief.address }));
    expect(statusOf()).toEqual({ kind: 'no-token' });
    saveProfiles(runtime());
    await becomes('following');
    expect(thief.requests).toEqual([]);
    await thief.close();
  });

  it('that is renamed asks under its new name; other settings disturb nothing', async () => {
    fake.hold();
    runtimes.setToken('ops', fake.token);
    await waits(1);
    const [before] = queue.waiting();
    replaceSettings(settings, { ...settings.snapshot().settings, keys: { 'tab.new': 'Ctrl+T' } });
    expect(queue.waiting()[0]).toBe(before);
    saveProfiles(runtime({ name: 'Night shift' }));
    await eventually(() => expect(queue.waiting()[0]?.request.payload).toContain('Night shift'));
    expect(queue.waiting()).toHaveLength(1);
  });

  it('that is removed takes its token along, but not while the settings file cannot be used or is away', async () => {
    saveProfiles(runtime(), runtime({ id: 'lab', name: 'Lab' }));
    for (const id of ['ops', 'lab']) runtimes.setToken(id, fake.token);
    await becomes('following', 'lab');
    const spoil = [() => writeFileSync(settings.path, '{ broken'), () => rmSync(settings.path)];
    for (const unusable of spoil) {
      unusable();
      settings.refresh();
      expect(runtimes.list()).toEqual([]);
      expect(tokenFiles()).toHaveLength(2);
    }
    saveProfiles(runtime({ id: 'lab', name: 'Lab' }));
    expect(tokenFiles()).toEqual(['lab.json']);
    await becomes('following', 'lab');
  });

  it('needs a saved profile for its token', () => {
    for (const id of ['shell', 'unknown'])
      expect(runtimes.setToken(id, fake.token)).toMatchObject({
        ok: false,
        error: { tag: 'profile-unknown' },
      });
  });

  it('A10 is asked nothing where its decisions cannot be recorded, and that is said', async () => {
    runtimes.setToken('ops', fake.token);
    await becomes('following');
    await runtimes.close();
    const asked = fake.requests.length;
    start(Promise.reject(new Error('another Airlock uses this data folder.')));
    expect(statusOf()).toEqual({ kind: 'connecting' });
    await becomes('failing');
    expect(statusOf()).toMatchObject({ text: expect.stringContaining('another Airlock uses') });
    expect(fake.requests).toHaveLength(asked);
  });
});
