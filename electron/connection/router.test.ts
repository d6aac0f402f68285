import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FolderUse } from '../../shared/protocol/requests.ts';
import { DEFAULT_PROFILE } from '../../shared/settings/schema.ts';
import { OUTPUT_CREDIT, SESSIONS_MAX } from '../../shared/terminal/limits.ts';
import { thisHost } from '../session/host-identity.ts';
import { readLedgers } from '../session/testing/ledgers.ts';
import { MemoryEngine, type MemoryTerminal } from '../session/testing/memory-sandbox.ts';
import type { ClientSessions } from './client-sessions.ts';
import { type Handlers, Router } from './router.ts';
import { eventually } from './testing/eventually.ts';
import type { TestClient } from './testing/test-client.ts';
import { TestHost } from './testing/test-host.ts';

let engine: MemoryEngine;
let fixture: TestHost;
let client: TestClient;

beforeEach(async () => {
  engine = new MemoryEngine();
  fixture = new TestHost(engine);
  client = await fixture.client();
});

afterEach(async () => {
  await fixture.dispose();
  expect(fixture.faults).toEqual([]);
});

const terminal = (n = 0) => engine.terminals[n] as MemoryTerminal;
const SOME_ID = '00000000-0000-4000-8000-000000000000';

describe('what is asked', () => {
  it.each(['shell.run', '', 'constructor', 'toString', '__proto__', 'hasOwnProperty', 'host.describe '])(
    'unknown verb %j: refused',
    async (verb) => {
      expect(await client.requestAny(verb, {})).toMatchObject({ ok: false, error: { tag: 'unknown-verb' } });
      expect(client.closed).toBe(false);
    },
  );

  it.each([
    [{ cols: 0, rows: 24 }, 'size.cols must be at least 1, is 0'],
    [{ cols: 80, rows: 0 }, 'size.rows must be at least 1, is 0'],
    [{ cols: -1, rows: 5 }, 'size.cols must be at least 1, is -1'],
    [{ cols: Number.NaN, rows: 24 }, 'size.cols must be a number, is null'],
    [{ cols: 70_000, rows: 24 }, 'size.cols must be at most 65535, is 70000'],
    [{ cols: 80.5, rows: 24 }, 'size.cols must be a whole number, is 80.5'],
    [{ cols: '80', rows: 24 }, 'size.cols must be a number, is "80"'],
    [{ rows: 24 }, 'size.cols is missing'],
    [null, 'size must be an object, is null'],
  ])(
    'B04(c) the size %j: refused by open, resize and resume, with the field and the bound',
    async (size, words) => {
      const { sessionId } = await client.open();
      const error = { tag: 'invalid-parameters', message: `Not accepted: ${words}.` };
      expect(await client.requestAny('session.open', { profileId: 'shell', size })).toMatchObject({ error });
      expect(await client.requestAny('session.resize', { sessionId, size })).toMatchObject({ error });
      expect(await client.requestAny('session.resume', { sessionId, size })).toMatchObject({ error });
      expect(terminal().log.filter((entry) => entry.startsWith('resize'))).toEqual([]);
      expect(engine.terminals).toHaveLength(1);
    },
  );

  it.each<[string, unknown, string]>([
    [
      'session.open',
      { profileId: 'x'.repeat(65), size: { cols: 1, rows: 1 } },
      'profileId must be at most 64',
    ],
    [
      'session.open',
      { profileId: 'shell', size: { cols: 1, rows: 1 }, project: 'a\0' },
      'project must not contain a NUL',
    ],
    [
      'session.open',
      { profileId: 'shell', size: { cols: 1, rows: 1 }, project: 'a' },
      'project must be an absolute path',
    ],
    ['session.end', { sessionId: '../../x' }, 'sessionId must be a UUID'],
    ['session.end', undefined, 'sessionId is missing'],
    ['engines.list', { refresh: 'yes' }, 'refresh must be true or false'],
    ['link.open', { url: '' }, 'url must be at least 1 character long'],
    [
      'governed.run',
      {
        sessionId: '5f0c2d0e-1111-4222-8333-444455556666',
        request: { command: 'add', text: '1', args: JSON.parse('{"__proto__":"x"}') },
      },
      "Unknown argument '__proto__'",
    ],
  ])('%s: bad parameters are refused, with the field and the bound', async (verb, params, words) => {
    expect(await client.requestAny(verb, params)).toMatchObject({
      error: { tag: 'invalid-parameters', message: expect.stringContaining(words) },
    });
  });

  it('a fault of the host becomes "internal" and tells the client neither path nor stack', async () => {
    const report = vi.fn();
    const fault = new Error('/secret/path');
    const broken = () => {
      throw fault;
    };
    const handlers = {
      'host.describe': broken,
      'engines.list': () => Promise.reject(fault),
    } as unknown as Handlers;
    const router = new Router(handlers, report);
    for (const verb of ['host.describe', 'engines.list']) {
      const answer = await router.answer({ type: 'request', id: 1, verb }, {} as ClientSessions);
      expect(answer).toMatchObject({ type: 'failure', id: 1, error: { tag: 'internal' } });
      expect(JSON.stringify(answer)).not.toMatch(/secret|\.ts/);
      expect(JSON.stringify(answer)).toContain(report.mock.lastCall?.[0]);
      expect(report.mock.lastCall?.[1]).toBe(fault);
    }
  });
});

describe('sessions', () => {
  it('a session is answered before its first event, and its end follows its last output (ST-21)', async () => {
    engine.onOpen = async (opened) => opened.print('early ');
    const { sessionId, channel, profile } = await client.open();
    expect(profile).toEqual(DEFAULT_PROFILE);
    await client.until(() => client.output(channel) !== '');
    terminal().print('last');
    terminal().exit({ kind: 'exited', code: 7 });
    await client.until(() => client.states(sessionId).includes('ended'));
    expect(client.output(channel)).toBe('early last');
    const kinds = client.log.map((entry) => (typeof entry === 'string' ? entry : entry.type));
    expect(kinds.indexOf('reply')).toBeLessThan(kinds.indexOf('event'));
    expect(kinds.indexOf('event')).toBeLessThan(kinds.indexOf('OUTPUT 1'));
    expect(kinds.at(-1)).toBe('event');
    expect(client.states(sessionId)).toEqual(['running', 'releasing', 'ended']);
  });

  it('passes typed, pasted and other input on, and says on the pane what was refused (ST-7)', async () => {
    const { sessionId, channel } = await client.open();
    client.input(channel, 'ls\r');
    client.input(channel, '~.', 'paste');
    await eventually(() => expect(terminal().written).toBe('ls\r~.'));
    await client.request('session.suspend', { sessionId });
    client.input(channel, 'x');
    const notices = () => client.events.flatMap((event) => (event.event === 'session.notice' ? [event] : []));
    await client.until(() => notices().length === 1);
    expect(notices()[0]).toMatchObject({
      sessionId,
      notice: { kind: 'input-refused', error: { tag: 'session-suspended' } },
    });
    await client.request('session.end', { sessionId });
    await client.until(() => client.states(sessionId).includes('ended'));
    client.input(channel, 'x');
    await client.until(() => notices().length === 2);
    expect(notices()[1]).toMatchObject({
      sessionId,
      notice: { kind: 'input-refused', error: { tag: 'session-not-running' } },
    });
    expect(terminal().written).toBe('ls\r~.');
  });

  it('resizes, breaks, suspends, resumes and ends', async () => {
    const { sessionId } = await client.open();
    expect(await client.request('session.resize', { sessionId, size: { cols: 101, rows: 37 } })).toEqual({
      ok: true,
      value: {},
    });
    expect(await client.request('session.break', { sessionId })).toEqual({
      ok: true,
      value: { effect: 'Interrupt' },
    });
    expect((await client.request('session.suspend', { sessionId })).ok).toBe(true);
    expect((await client.request('session.resume', { sessionId, size: { cols: 102, rows: 38 } })).ok).toBe(
      true,
    );
    expect((await client.request('session.end', { sessionId })).ok).toBe(true);
    expect(terminal().log).toEqual(
      expect.arrayContaining(['resize 101x37', 'break', 'resize 102x38', 'release']),
    );
    await client.until(() => client.states(sessionId).includes('ended'));
    expect(client.states(sessionId)).toEqual(['running', 'running', 'running', 'releasing', 'ended']);
  });

  it('shells and governed sessions share the places of the host, whoever has them', async () => {
    const listed = await client.request('manifests.list', {});
    const manifestDigest = listed.ok ? (listed.value.manifests[0]?.digest ?? '') : '';
    const asked = { profileId: 'shell', size: { cols: 80, rows: 24 } };
    const { sessionId } = await client.open();
    engine.onOpen = (_terminal, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
    // While the openings last, every place but one is taken.
    for (let n = 2; n < SESSIONS_MAX; n += 1) void client.request('session.open', asked);
    await eventually(() => expect(fixture.host.registry.size).toBe(SESSIONS_MAX - 1));
    expect((await client.request('governed.open', { ...asked, manifestDigest })).ok).toBe(true);
    const other = await fixture.client();
    const full = { ok: false, error: { tag: 'too-many-sessions', details: { limit: SESSIONS_MAX } } };
    expect(await other.request('governed.open', { ...asked, manifestDigest })).toMatchObject(full);
    expect(await other.request('session.open', asked)).toMatchObject(full);
    await client.request('session.end', { sessionId });
    await client.until(() => client.states(sessionId).includes('ended'));
    await eventually(() => expect(fixture.host.registry.size).toBe(SESSIONS_MAX - 2));
    expect((await other.request('governed.open', { ...asked, manifestDigest })).ok).toBe(true);
  });

  it('a profile that does not exist is refused', async () => {
    const answer = await client.request('session.open', { profileId: 'gone', size: { cols: 80, rows: 24 } });
    expect(answer).toMatchObject({ ok: false, error: { tag: 'profile-unknown' } });
  });

  it('nobody reaches the session of another client by its id (ST-28)', async () => {
    const { sessionId } = await client.open();
    const other = await fixture.client();
    const size = { cols: 10, rows: 10 };
    for (const [verb, params] of [
      ['session.resize', { sessionId, size }],
      ['session.break', { sessionId }],
      ['session.suspend', { sessionId }],
      ['session.resume', { sessionId, size }],
      ['session.end', { sessionId }],
    ] as const) {
      const theirs = await other.requestAny(verb, params);
      const nobodys = await other.requestAny(verb, { ...params, sessionId: SOME_ID });
      expect(theirs).toMatchObject({ ok: false, error: { tag: 'session-unknown' } });
      // Nor does the answer tell whether it exists.
      expect(JSON.stringify(theirs).replaceAll(sessionId, SOME_ID)).toBe(JSON.stringify(nobodys));
    }
    expect(terminal().log).toEqual([]);
    expect(other.events).toEqual([]);
  });

  it('a client that does not acknowledge pauses its terminal, and any later total heals that', async () => {
    client.acknowledges = false;
    const { channel } = await client.open();
    let sent = 0;
    for (; terminal().reading; sent += 1000) terminal().print(new Uint8Array(1000));
    expect(sent).toBeLessThan(OUTPUT_CREDIT.high + 2000);
    terminal().print('held back');
    await client.until(() => client.outputs.get(channel)?.length === sent);
    expect(terminal().kernelBytes).toBe('held back'.length);
    client.send({ type: 'parsed', channel, total: sent });
    await client.until(() => client.output(channel).endsWith('held back'));
  });
});

describe('settings, engines, links, folders', () => {
  it('describes the host', async () => {
    const described = await client.request('host.describe', {});
    expect(described).toMatchObject({
      ok: true,
      value: { version: '0.0.0', host: 'headless', dataDir: fixture.dataDir },
    });
  });

  it('ST-25 what earlier hosts left is told to every page until a person has noted it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'airlock-left-'));
    const sessions = join(dataDir, 'sessions');
    mkdirSync(join(sessions, 'folder.jsonl'), { recursive: true });
    const deadHost = { ...thisHost(), startTime: '1' };
    const left = { event: 'intent', session: SOME_ID, engine: 'bubblewrap', profile: 'shell', at: '' };
    writeFileSync(join(sessions, 'left.jsonl'), `${JSON.stringify(deadHost)}\n${JSON.stringify(left)}\n`);
    const opening = Object.assign(new MemoryEngine(), { leftByOpening: 'A container may be left.' });
    const next = new TestHost(opening, { dataDir });
    const pages = [await next.client(), await next.client()] as const;
    const told = async (page: TestClient) => {
      const answer = await page.request('host.recovery', {});
      return answer.ok ? answer.value.notices.map(({ text }) => text) : answer.error;
    };
    const session = `Session ${SOME_ID} of an earlier run needs attention: A container may be left.`;
    const record = expect.stringMatching(
      /^Record of an earlier run: .*folder\.jsonl: it is not a regular file$/,
    );
    for (const page of pages) expect(await told(page)).toEqual([session, record]);
    rmSync(join(sessions, 'folder.jsonl'), { recursive: true });
    expect(readLedgers(sessions).at(-1)).toMatchObject({ event: 'needs-attention', session: SOME_ID });
    const noted = await pages[0].request('host.recovery-noted', { id: SOME_ID });
    expect(noted).toMatchObject({ ok: true, value: { notices: [{ text: record }] } });
    for (const page of pages) expect(await told(page)).toEqual([record]);
    expect(readLedgers(sessions).at(-1)).toMatchObject({ event: 'host-lost', session: SOME_ID });
    await next.dispose();
    rmSync(dataDir, { recursive: true });
  });

  it('settings that are replaced are told to every client', async () => {
    const other = await fixture.client();
    const keys = { 'tab.new': 'Ctrl+T' };
    const saved = await client.changeSettings((settings) => ({ ...settings, keys }));
    expect(saved).toMatchObject({ ok: true, value: { settings: { keys }, problems: [] } });
    await other.until(() => other.events.length > 0);
    expect(other.events).toEqual([{ event: 'settings.changed', snapshot: saved.ok ? saved.value : null }]);
  });

  it('bad settings are refused with the field and the bound', async () => {
    const answer = await client.requestAny('settings.replace', {
      settings: { terminal: { scrollback: 999_999_999 } },
      from: SOME_ID,
      revision: SOME_ID,
    });
    expect(answer).toMatchObject({
      error: {
        tag: 'settings-invalid',
        message: 'Not accepted: settings.terminal.scrollback must be at most 200000, is 999999999.',
      },
    });
  });

  it('engines are probed once, again when asked, and a change is told to every client', async () => {
    const other = await fixture.client();
    const probe = vi.spyOn(engine, 'probe');
    expect(await client.request('engines.list', {})).toMatchObject({
      ok: true,
      value: [{ kind: 'bubblewrap', usable: true }],
    });
    await client.request('engines.list', {});
    expect(probe).toHaveBeenCalledTimes(1);
    const changed = { ...(await engine.probe()), usable: false, summary: 'gone' };
    probe.mockResolvedValue(changed);
    expect(await client.request('engines.list', { refresh: true })).toEqual({ ok: true, value: [changed] });
    await other.until(() => other.events.length > 0);
    expect(other.events).toEqual([{ event: 'engines.changed', engines: [changed] }]);
  });

  it('a headless host leaves a good link to the browser, and refuses a bad one (B14)', async () => {
    expect(await client.request('link.open', { url: 'HTTPS://example.com/a(b)' })).toEqual({
      ok: true,
      value: { openedBy: 'client', url: 'https://example.com/a(b)' },
    });
    expect(await client.request('link.open', { url: 'javascript:alert(1)' })).toMatchObject({
      error: { tag: 'link-refused', message: 'Only http and https links can be opened.' },
    });
  });

  it('a desktop opens a good link exactly once, and nothing else (B14)', async () => {
    const openExternal = vi.fn(async () => {});
    const desktop = new TestHost(new MemoryEngine(), { kind: 'desktop', platform: { openExternal } });
    const page = await desktop.client();
    const url = 'https://example.com/a(b)';
    const answers = await Promise.all([1, 2, 3].map(() => page.request('link.open', { url })));
    expect(answers.map((answer) => answer.ok)).toEqual([true, false, false]);
    await page.request('link.open', { url: 'file:///etc/passwd' });
    expect(openExternal.mock.calls).toEqual([[url]]);
    await desktop.dispose();
  });

  it('a folder dialog exists where the platform has one', async () => {
    expect(await client.request('folder.choose', { use: 'project' })).toMatchObject({
      error: { tag: 'not-available-here' },
    });
    const chooseFolder = async (use: FolderUse) => `/chosen/${use}`;
    const desktop = new TestHost(new MemoryEngine(), { kind: 'desktop', platform: { chooseFolder } });
    const page = await desktop.client();
    expect(await page.request('folder.choose', { use: 'scratch' })).toEqual({
      ok: true,
      value: { path: '/chosen/scratch' },
    });
    await desktop.dispose();
  });

  it('says whether a typed path can be used, by the rules of an opening, and why not (B17)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'airlock-folder-'));
    const check = async (path: string, use: 'project' | 'scratch' | 'files' = 'project') => {
      const answer = await client.request('folder.check', { path, use });
      return answer.ok ? answer.value : answer.error;
    };
    expect(await check(`${folder}/../${basename(folder)}`)).toEqual({
      usable: true,
      path: folder,
      reason: 'This folder can be used.',
    });
    const refusals = [
      [`${folder}/none`, 'project', 'There is no such folder.'],
      ['relative', 'files', 'Type the whole path, from the root on.'],
      ['/etc/passwd', 'project', 'This is not a folder.'],
      ['/etc/passwd/x', 'files', 'There is no such folder.'],
      ['/', 'project', 'The project folder must not be all of /.'],
      ['/tmp', 'project', 'The project folder must not be all of /tmp.'],
      ['/etc', 'scratch', 'The scratch folder must not be below /etc: /etc'],
      [
        fixture.dataDir,
        'project',
        `The project folder must not share Airlock's own data: ${fixture.dataDir}`,
      ],
    ] as const;
    for (const [path, use, reason] of refusals)
      expect(await check(path, use)).toEqual({ usable: false, path, reason });
    expect(await check('/etc')).toMatchObject({ usable: true });
    // Nothing of it goes into a sandbox as a whole.
    expect(await check('/tmp', 'files')).toMatchObject({ usable: true });
    rmSync(folder, { recursive: true });
  });
});
