import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_PROFILE } from '../../shared/settings/schema.ts';
import { OPEN_DEADLINE_MS, RELEASE_DEADLINE_MS, SESSIONS_MAX } from '../../shared/terminal/limits.ts';
import { eventually } from '../connection/testing/eventually.ts';
import { EngineError } from '../sandbox/engine.ts';
import { type OpenRequest, SessionRegistry } from './session-registry.ts';
import { readLedgers } from './testing/ledgers.ts';
import { MemoryEngine } from './testing/memory-sandbox.ts';
import { RecordingSink } from './testing/recording-sink.ts';

const never = () => new Promise<never>(() => {});
const tag = (result: { ok: boolean; error?: { tag: string } }) => (result.ok ? 'ok' : result.error?.tag);

let folder: string;
let engine: MemoryEngine;
let registry: SessionRegistry;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airlock-registry-'));
  engine = new MemoryEngine();
  registry = new SessionRegistry({
    engines: new Map([['bubblewrap', engine]]),
    ledgerFolder: join(folder, 'ledger'),
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await registry.releaseAll('host-closing');
  rmSync(folder, { recursive: true });
});

function request(overrides: Partial<OpenRequest> = {}): OpenRequest {
  return {
    profile: DEFAULT_PROFILE,
    project: null,
    size: { cols: 80, rows: 24 },
    principal: 'alice',
    sink: new RecordingSink(),
    signal: new AbortController().signal,
    ...overrides,
  };
}

async function opened(overrides: Partial<OpenRequest> = {}) {
  const sink = new RecordingSink();
  const result = await registry.open(request({ sink, ...overrides }));
  if (!result.ok) throw new Error(result.error.message);
  await sink.until(() => sink.last?.kind === 'running');
  return result.value;
}

const recordedEvents = () => readLedgers(join(folder, 'ledger')).map(({ event }) => event);

const NOT_KNOWN = expect.stringMatching(
  /^(?!.*has been ended).*Whether what was started is gone is not known/,
);

describe('ST-6 ordered opening', () => {
  it('the intent is recorded before the engine starts anything, the identity before the session exists', async () => {
    let before: string[] = [];
    engine.onOpen = async () => {
      before = recordedEvents();
    };
    const session = await opened();
    expect(before).toEqual(['intent']);
    expect(readLedgers(join(folder, 'ledger'))).toMatchObject([
      { event: 'intent', session: session.id, engine: 'bubblewrap', profile: 'shell' },
      { event: 'committed', session: session.id, identity: { kind: 'machine', execution: '1' } },
    ]);
  });

  it.each(['engine-unavailable', 'open-failed', 'open-timed-out', 'profile-invalid'] as const)(
    'an engine’s %s is handed on, and recorded as leaving nothing',
    async (engineTag) => {
      engine.onOpen = () => Promise.reject(new EngineError(engineTag, 'In words.'));
      const result = await registry.open(request());
      expect(result).toEqual({ ok: false, error: { tag: engineTag, message: 'In words.' } });
      expect(recordedEvents()).toEqual(['intent', 'clean']);
      expect(registry.size).toBe(0);
    },
  );

  it('an engine that throws anything else is an open-failed', async () => {
    engine.onOpen = () => Promise.reject(new Error('ENOMEM'));
    expect(await registry.open(request())).toMatchObject({
      error: { tag: 'open-failed', message: expect.stringContaining('ENOMEM') },
    });
  });

  it('an engine that this host does not have is unavailable', async () => {
    expect(tag(await registry.open(request({ profile: { ...DEFAULT_PROFILE, engine: 'smolvm' } })))).toBe(
      'engine-unavailable',
    );
  });

  it('nothing is started when the intent cannot be recorded', async () => {
    writeFileSync(join(folder, 'file'), '');
    const blocked = new SessionRegistry({
      engines: new Map([['bubblewrap', engine]]),
      ledgerFolder: join(folder, 'file', 'ledger'),
    });
    expect(tag(await blocked.open(request()))).toBe('open-failed');
    expect(engine.terminals).toEqual([]);
  });

  it('giving up while the engine works ends what it started, and records that', async () => {
    const client = new AbortController();
    engine.onOpen = async () => client.abort('closed');
    const result = await registry.open(request({ signal: client.signal }));
    expect(tag(result)).toBe('open-failed');
    expect(engine.terminals[0]?.log).toEqual(['release']);
    expect(recordedEvents()).toEqual(['intent', 'committed', 'clean']);
  });

  it('a request that was given up already starts nothing', async () => {
    expect(tag(await registry.open(request({ signal: AbortSignal.abort() })))).toBe('open-failed');
    expect(engine.terminals).toEqual([]);
  });

  it('an engine that heeds the abort at the deadline is told as timed out', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    engine.onOpen = (_terminal, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    const result = registry.open(request());
    await vi.advanceTimersByTimeAsync(OPEN_DEADLINE_MS);
    expect(await result).toMatchObject({
      error: { tag: 'open-timed-out', message: expect.stringContaining('has been ended') },
    });
    expect(recordedEvents()).toEqual(['intent', 'clean']);
  });

  it.each(['refuses', 'is given up'])(
    'an opening that %s and may have left something is recorded so',
    async (how) => {
      const client = new AbortController();
      engine.onOpen = async () => {
        if (how === 'is given up') client.abort('closed');
        throw new EngineError('open-failed', 'It was cancelled.', 'A container may be left.');
      };
      const result = await registry.open(request({ signal: client.signal }));
      expect(tag(result)).toBe('open-failed');
      expect(JSON.stringify(result)).toContain('A container may be left.');
      expect(recordedEvents()).toEqual(['intent', 'needs-attention']);
    },
  );

  it('an engine that hangs past the deadline is given up; what it starts later is ended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const started = Promise.withResolvers<void>();
    engine.onOpen = () => started.promise;
    const result = registry.open(request());
    await vi.advanceTimersByTimeAsync(OPEN_DEADLINE_MS + RELEASE_DEADLINE_MS);
    expect(await result).toMatchObject({ error: { tag: 'open-timed-out', message: NOT_KNOWN } });
    expect(recordedEvents()).toEqual(['intent', 'needs-attention']);
    started.resolve();
    vi.useRealTimers();
    await eventually(() => expect(recordedEvents()).toEqual(['intent', 'needs-attention', 'clean']));
    expect(engine.terminals[0]?.log).toContain('release');
  });

  it('ST-25 what an engine says to be left is on record also when it says so past the deadline', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const started = Promise.withResolvers<void>();
    engine.onOpen = () => started.promise;
    const result = registry.open(request());
    await vi.advanceTimersByTimeAsync(OPEN_DEADLINE_MS + RELEASE_DEADLINE_MS);
    await result;
    started.reject(new EngineError('open-timed-out', 'Too late.', 'A container may be left.'));
    vi.useRealTimers();
    await eventually(() =>
      expect(readLedgers(join(folder, 'ledger')).at(-1)).toMatchObject({
        event: 'needs-attention',
        reason: 'A container may be left.',
      }),
    );
  });

  it.each([
    ['times out', OPEN_DEADLINE_MS],
    ['is given up', 0],
  ])(
    'ST-25 an opening that %s is not told to be ended where its removal is not confirmed',
    async (how, ms) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const client = new AbortController();
      engine.onOpen = async (terminal, signal) => {
        terminal.onRelease = async () => ({ removed: false, steps: [], reason: 'The daemon said no.' });
        await new Promise((aborted) => signal.addEventListener('abort', aborted));
      };
      const result = registry.open(request({ signal: client.signal }));
      if (how === 'is given up') client.abort('its client is gone');
      await vi.advanceTimersByTimeAsync(ms);
      expect(await result).toMatchObject({ error: { message: NOT_KNOWN } });
      expect(readLedgers(join(folder, 'ledger')).at(-1)).toMatchObject({
        event: 'needs-attention',
        reason: 'The daemon said no.',
      });
    },
  );
});

describe('ST-7 ST-28 lookup', () => {
  it('finds a client’s own sessions only', async () => {
    const session = await opened();
    expect(registry.find(session.id, 'alice')).toEqual({ ok: true, value: session });
    expect(tag(registry.find(session.id, 'mallory'))).toBe('session-unknown');
    expect(tag(registry.find('6f1f0f2b-3a51-4f0d-8a53-4c5d1b7a2f11', 'alice'))).toBe('session-unknown');
  });

  it('names a session in release, and forgets it when it has ended', async () => {
    const session = await opened();
    session.end('user');
    expect(tag(registry.find(session.id, 'alice'))).toBe('session-releasing');
    await session.closed;
    expect(tag(registry.find(session.id, 'alice'))).toBe('session-unknown');
    expect(registry.size).toBe(0);
  });
});

describe('ending', () => {
  it('ST-24 the release is recorded before it begins and clean after it', async () => {
    const session = await opened();
    const [terminal] = engine.terminals;
    let during: string[] = [];
    if (terminal) {
      terminal.onRelease = async () => {
        during = recordedEvents();
        return { removed: true, steps: [] };
      };
    }
    session.end('user');
    await session.closed;
    expect(during.at(-1)).toBe('releasing');
    expect(recordedEvents()).toEqual(['intent', 'committed', 'releasing', 'clean']);
  });

  it('ST-25 a removal that is not confirmed stays on record, also when the host closes', async () => {
    const session = await opened();
    const [terminal] = engine.terminals;
    if (terminal) {
      terminal.onRelease = async () => {
        terminal.exit({ kind: 'exited', code: 0 });
        return { removed: false, steps: [], reason: 'The pid belongs to another process.' };
      };
    }
    session.end('user');
    await session.closed;
    expect(session.state.kind).toBe('needs-attention');
    await registry.releaseAll('host-closing');
    expect(readLedgers(join(folder, 'ledger')).at(-1)).toMatchObject({
      event: 'needs-attention',
      reason: 'The pid belongs to another process.',
    });
  });

  it('ST-23 a lost client loses its sessions and its openings, and nobody else’s', async () => {
    const [mine, other] = [await opened(), await opened({ principal: 'bob' })];
    const opening = Promise.withResolvers<void>();
    engine.onOpen = (_terminal, signal) =>
      new Promise((_resolve, reject) => {
        opening.resolve();
        signal.addEventListener('abort', () => reject(new EngineError('open-failed', 'aborted')));
      });
    const pending = registry.open(request());
    await opening.promise;
    await registry.releaseOf('alice', 'client-lost');
    expect(tag(await pending)).toBe('open-failed');
    expect(mine.state).toMatchObject({ kind: 'ended', cause: 'client-lost' });
    expect(other.state.kind).toBe('running');
    expect(registry.size).toBe(1);
  });

  it('a session that is committed while its client is lost is released too', async () => {
    const pending = registry.open(request());
    for (let turn = 0; turn < 50; turn++) {
      await Promise.resolve();
      void registry.releaseOf('alice', 'client-lost');
    }
    await pending;
    await registry.releaseOf('alice', 'client-lost');
    expect(registry.size).toBe(0);
    for (const terminal of engine.terminals) expect(terminal.log).toContain('release');
  });

  it('what is opening when the host closes is told so in words', async () => {
    engine.onOpen = (_terminal, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new EngineError('open-failed', 'aborted')));
      });
    const pending = registry.open(request());
    await registry.releaseAll('host-closing');
    expect(await pending).toMatchObject({
      error: { tag: 'open-failed', message: 'The opening was given up: Airlock is closing.' },
    });
  });

  it('the host closing releases everything, opens nothing more and leaves no ledger of clean ends', async () => {
    const sessions = await Promise.all([opened(), opened({ principal: 'bob' })]);
    await registry.releaseAll('host-closing');
    expect(sessions.map(({ state }) => state.kind)).toEqual(['ended', 'ended']);
    expect(tag(await registry.open(request()))).toBe('open-failed');
    expect(readdirSync(join(folder, 'ledger'))).toEqual([]);
  });
});

it('refuses more sessions than SESSIONS_MAX, those that are opening counted', async () => {
  engine.onOpen = never;
  for (let n = 0; n < SESSIONS_MAX; n++) void registry.open(request());
  expect(registry.size).toBe(SESSIONS_MAX);
  expect(tag(await registry.open(request()))).toBe('too-many-sessions');
  engine = new MemoryEngine();
  registry = new SessionRegistry({ engines: new Map(), ledgerFolder: join(folder, 'unused') });
});
