import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_PROFILE, profileSchema } from '../../shared/settings/schema.ts';
import { PROBE_DEADLINE_MS } from '../../shared/terminal/limits.ts';
import { EngineError } from '../sandbox/engine.ts';
import { MemoryEngine } from '../session/testing/memory-sandbox.ts';
import { EngineCatalog } from './engine-catalog.ts';
import { eventually } from './testing/eventually.ts';
import { MemoryDaemon, untilAborted } from './testing/memory-daemon.ts';
import type { TestClient } from './testing/test-client.ts';
import { TestHost } from './testing/test-host.ts';

const SIZE = { cols: 80, rows: 24 };
const ENDPOINT = { endpoint: 'unix:///run/docker.sock', certificates: null };
const PULL = '11111111-1111-4111-8111-111111111111';

let engine: MemoryEngine;
let daemon: MemoryDaemon;
let fixture: TestHost;
let client: TestClient;

beforeEach(async () => {
  engine = new MemoryEngine();
  daemon = new MemoryDaemon();
  fixture = new TestHost(engine, { containers: daemon });
  client = await fixture.client();
});

afterEach(async () => {
  await fixture.dispose();
  expect(fixture.faults).toEqual([]);
});

describe('engines.check', () => {
  it('asks the engine of the profile about its values, saved or not', async () => {
    const probe = vi.spyOn(engine, 'probe');
    const profile = profileSchema.parse({ id: 'unsaved', name: 'Unsaved', network: 'host' });
    expect(await client.request('engines.check', { profile })).toMatchObject({
      ok: true,
      value: { kind: 'bubblewrap', usable: true },
    });
    expect(probe).toHaveBeenCalledWith(profile);
  });

  it('says that this host has no such engine', async () => {
    const profile = { ...DEFAULT_PROFILE, engine: 'microvm' as const };
    expect(await client.request('engines.check', { profile })).toMatchObject({
      value: { usable: false, summary: expect.stringContaining('no engine “Micro-VM”') },
    });
  });

  it('refuses what is no profile, by field and bound', async () => {
    const profile = { ...DEFAULT_PROFILE, name: '', smolvm: { closeMs: 0 } };
    expect(await client.requestAny('engines.check', { profile })).toMatchObject({
      error: { tag: 'invalid-parameters', message: expect.stringMatching(/closeMs must be at least 1/) },
    });
  });

  it('an engine that never answers is not usable, and holds up none of the others', async () => {
    vi.useFakeTimers();
    try {
      const silent = Object.assign(new MemoryEngine(), { probe: () => new Promise<never>(() => {}) });
      const answer = new EngineCatalog([silent, new MemoryEngine()]).list();
      await vi.advanceTimersByTimeAsync(PROBE_DEADLINE_MS);
      const [first, second] = await answer;
      expect(first).toMatchObject({ usable: false, summary: expect.stringContaining('10 seconds') });
      expect(second).toMatchObject({ usable: true });
    } finally {
      vi.useRealTimers();
    }
  });
});

it('who checks again while a probe goes on gets the answer of a later one, which all who ask share', async () => {
  let summary = 'bwrap is missing';
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const slow = Object.assign(new MemoryEngine(), {
    async probe() {
      const seen = { ...(await new MemoryEngine().probe()), summary };
      begun.push(summary);
      await gate.promise;
      return seen;
    },
  });
  const catalog = new EngineCatalog([slow]);
  const first = catalog.list();
  await eventually(() => expect(begun).toHaveLength(1));
  summary = 'bubblewrap is ready';
  const again = [catalog.list(true), catalog.list(true)];
  const joined = catalog.list();
  gate.resolve();
  expect(await first).toMatchObject([{ summary: 'bwrap is missing' }]);
  expect(await joined).toBe(await first);
  for (const answer of again) expect(await answer).toMatchObject([{ summary: 'bubblewrap is ready' }]);
  expect(begun).toHaveLength(2);
  expect(await catalog.list()).toMatchObject([{ summary: 'bubblewrap is ready' }]);
});

it('an engine that cannot do what is asked is named as in the menus, and so are those that can', async () => {
  const engines = [engine, new MemoryEngine('microvm')];
  const two = new TestHost(engine, { engines });
  const page = await two.client();
  const attach = profileSchema.parse({ id: 'attach', name: 'Attach', engine: 'attach' });
  await page.changeSettings((settings) => ({ ...settings, profiles: [...settings.profiles, attach] }));
  const listed = await page.request('manifests.list', {});
  const manifestDigest = listed.ok ? (listed.value.manifests[0]?.digest ?? '') : '';
  const asked = { profileId: 'attach', size: SIZE };
  expect(await page.request('session.open', asked)).toMatchObject({
    error: { tag: 'engine-unavailable', message: 'This host has no engine “Running container”.' },
  });
  expect(await page.request('governed.open', { ...asked, manifestDigest })).toMatchObject({
    error: {
      tag: 'engine-unavailable',
      message:
        'The engine “Running container” runs no governed sessions. Choose a profile with Bubblewrap or Micro-VM.',
    },
  });
  await two.dispose();
});

describe('session.try', () => {
  it('opens the profile as it stands, under a name that says so, and records nothing', async () => {
    const profile = profileSchema.parse({
      id: 'unsaved',
      name: 'My profile',
      command: ['/bin/sh'],
      recordInput: true,
    });
    const opened = await client.request('session.try', { profile, size: SIZE });
    expect(opened).toMatchObject({
      value: {
        profile: { ...profile, name: 'Try: My profile', record: false, recordInput: false },
        posture: { recorded: false },
      },
    });
    expect(await fixture.host.recordings.list()).toEqual([]);
    expect(fixture.host.settings.snapshot().settings.profiles).toEqual([DEFAULT_PROFILE]);
  });

  it('keeps a name within its bound and its characters whole', async () => {
    const name = '𝕏'.repeat(30);
    const opened = await client.request('session.try', { profile: { ...DEFAULT_PROFILE, name }, size: SIZE });
    expect(opened).toMatchObject({ value: { profile: { name: `Try: ${'𝕏'.repeat(27)}` } } });
  });
});

describe('containers', () => {
  it.each([
    ['engine-unavailable', 'engine-unavailable'],
    ['profile-invalid', 'profile-invalid'],
    ['open-failed', 'engine-refused'],
    ['open-timed-out', 'engine-refused'],
  ] as const)('a daemon’s %s is %s, with its words', async (tag, told) => {
    daemon.failure = new EngineError(tag, 'It said no.');
    expect(await client.request('containers.running', ENDPOINT)).toMatchObject({
      error: { tag: told, message: 'It said no.' },
    });
  });

  it('a pull tells its progress to who asked for it, and can be cancelled by nobody else', async () => {
    const other = await fixture.client();
    daemon.onPull = async (report, signal) => {
      report({ text: 'Downloading', doneBytes: 1, totalBytes: 2 });
      // Sooner than anybody reads: of these the last is told.
      report({ text: 'Downloading', doneBytes: 2, totalBytes: 3 });
      report({ text: 'Extracting', doneBytes: 3, totalBytes: 3 });
      await untilAborted(signal);
    };
    const pulled = client.request('containers.pull', { ...ENDPOINT, pullId: PULL, image: 'busybox' });
    await client.until(() => client.events.length === 2);
    await other.request('containers.cancel-pull', { pullId: PULL });
    expect(await client.request('host.describe', {})).toMatchObject({ ok: true });
    await client.request('containers.cancel-pull', { pullId: PULL });
    expect(await pulled).toMatchObject({ error: { tag: 'pull-cancelled' } });
    expect(client.events).toEqual(
      [
        { text: 'Downloading', doneBytes: 1, totalBytes: 2 },
        { text: 'Extracting', doneBytes: 3, totalBytes: 3 },
      ].map((progress) => ({ event: 'engines.pull-progress', pullId: PULL, progress })),
    );
    expect(other.events).toEqual([]);
    expect(daemon.list).toEqual([]);
  });

  it('a pull is given up with its client', async () => {
    const gone = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    daemon.onPull = async (_report, signal) => {
      signal.addEventListener('abort', () => gone.resolve());
      started.resolve();
      await untilAborted(signal);
    };
    client.send({
      type: 'request',
      id: 99,
      verb: 'containers.pull',
      params: { ...ENDPOINT, pullId: PULL, image: 'busybox' },
    });
    await started.promise;
    client.close();
    await gone.promise;
  });

  it('a finished pull is in the list; a name that is none is not asked for', async () => {
    const image = 'alpine:3.20';
    expect(await client.request('containers.pull', { ...ENDPOINT, pullId: PULL, image })).toEqual({
      ok: true,
      value: {},
    });
    expect(await client.request('containers.images', ENDPOINT)).toMatchObject({
      value: { images: [{ name: image }], more: 0 },
    });
    const bad = await client.requestAny('containers.pull', { ...ENDPOINT, pullId: PULL, image: 'a b' });
    expect(bad).toMatchObject({ error: { tag: 'invalid-parameters' } });
    expect(daemon.asked).toHaveLength(2);
  });
});
