import { spawn, spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { profileSchema, sandboxProfiles } from '../../../shared/settings/schema.ts';
import type { UntimedMoment } from '../../../shared/transcripts/moment.ts';
import type { TestClient } from '../../connection/testing/test-client.ts';
import { TestHost } from '../../connection/testing/test-host.ts';
import { SCRIPTED_POSTURE } from '../../governed/controller/testing/scripted-workers.ts';
import type { SessionRecording } from '../../session/recording.ts';
import { MemoryEngine } from '../../session/testing/memory-sandbox.ts';
import { RealHost, type Shell } from '../../session/testing/real-host.ts';
import type { CastEvent } from '../cast/events.ts';
import { readEvents } from '../cast/reader.ts';
import { playedByAsciinema } from '../cast/testing/asciinema-player.ts';
import { type RecordingProgress, Recordings } from './recordings.ts';
import { replayed, ShownTerminal } from './testing/replay.ts';

const PROGRAM = new URL('./testing/recording-process.ts', import.meta.url).pathname;

let root: string;
let recordings: Recordings;
let host: RealHost;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'airlock-transcripts-'));
  record(join(root, 'transcripts'));
});
afterEach(async () => {
  await host.close();
  await recordings.close();
  rmSync(root, { recursive: true });
});

it.each([
  ['container', 'gVisor in Docker', 'gVisor in Docker'],
  ['bubblewrap', 'bubblewrap', undefined],
] as const)('a recording of %s on %j keeps what it ran on: %j', async (engine, product, kept) => {
  const id = randomUUID();
  const profile = profileSchema.parse({ id: 'p', name: 'P', engine });
  const posture = { ...SCRIPTED_POSTURE, engine: product };
  recordings.start({ id, kind: 'shell', title: 'P', profile, posture, size: { cols: 80, rows: 24 } });
  const header = await vi.waitUntil(
    () => {
      const [first] = existsSync(join(recordings.folderOf(id), '0001.cast'))
        ? readEvents(recordings.folderOf(id))
        : [];
      return first?.kind === 'header' ? first.header : null;
    },
    { timeout: 20_000 },
  );
  expect(header.airlock).toMatchObject({ engine });
  expect(header.airlock?.product).toBe(kept);
});

function record(folder: string): void {
  recordings = new Recordings({ folder });
  host = new RealHost(recordings);
}

const bash = (script: string) => ['/bin/bash', '--norc', '--noprofile', '-c', script];
const folderOf = ({ session }: Shell) => recordings.folderOf(session.id);
const finished = ({ session }: Shell) =>
  vi.waitUntil(() => !recordings.running.includes(session.id), { timeout: 10_000 });
const outputOf = (events: Iterable<CastEvent>) =>
  Buffer.concat(
    [...events].map((event) =>
      event.kind === 'output' ? (event.bytes ?? Buffer.from(event.text)) : Buffer.alloc(0),
    ),
  );

describe('a recording of a real session', () => {
  it('replays to the screen that was live, resizes and bad bytes included (B02, B33)', async () => {
    const draw = String.raw`draw() { printf '\033[2J\033[H\033[1;32m%s\033[0m ' "$(stty size)"; printf '%s\n' {1..40}; }`;
    const script = String.raw`${draw}; printf 'ok\377\376\300\200ok2 \342\202\254 \360\237\230\200\n'; draw; read -r _; draw; printf '\033[?1049h\033[5;5Hfull screen'; read -r _; draw`;
    const shell = await host.open({ command: bash(script), size: { cols: 80, rows: 24 } });
    const live = new ShownTerminal({ cols: 80, rows: 24 });
    const acknowledge = shell.sink.onOutput;
    shell.sink.onOutput = (bytes) => {
      acknowledge(bytes);
      live.write(bytes);
    };
    for (const size of [
      { cols: 120, rows: 40 },
      { cols: 60, rows: 20 },
    ]) {
      await shell.shows('40\r\n');
      await shell.session.resize(size);
      live.resize(size);
      shell.type('\r');
    }
    await shell.outcome();
    await finished(shell);
    const events = [...readEvents(folderOf(shell))];
    expect(await replayed(folderOf(shell))).toBe(await live.state());
    expect(outputOf(events).includes(Buffer.from('ok\xff\xfe\xc0\x80ok2', 'latin1'))).toBe(true);
    expect(events.at(-1)).toMatchObject({ kind: 'ended', ending: { outcome: { kind: 'exited', code: 0 } } });
    expect(events.filter(({ kind }) => kind === 'input')).toEqual([]);
  });

  it('holds what was typed where the profile wants that, and what the session went through', async () => {
    const shell = await host.open({ command: bash('echo up; exec cat'), recordInput: true });
    await shell.shows('up\r\n');
    shell.type('typed\r');
    await shell.shows('typed\r\ntyped');
    shell.session.input('reply', Buffer.from('\x1b[0n'));
    shell.session.suspend();
    await shell.session.resume({ cols: 90, rows: 30 });
    const diverted = shell.session.divert('prompt', () => {});
    if (diverted.ok) diverted.value.dispose();
    shell.session.end('user');
    await shell.session.closed;
    await finished(shell);
    const told = [...readEvents(folderOf(shell))].flatMap((event) => {
      if (event.kind === 'moment') return [event.moment.kind];
      if (event.kind === 'input') return [event.text];
      return event.kind === 'output' ? [] : [event.kind];
    });
    expect(told).toEqual([
      'header',
      'typed\r',
      'suspended',
      'resumed',
      'resize',
      'route',
      'route',
      'exit',
      'ended',
    ]);
  });

  it('plays in asciinema-player', async () => {
    const shell = await host.open({ command: bash(String.raw`printf '\033[35mpink\377\033[0m\n'`) });
    await shell.outcome();
    await finished(shell);
    const file = readFileSync(join(folderOf(shell), '0001.cast'), 'utf8');
    const texts = [...readEvents(folderOf(shell))].flatMap((event) =>
      event.kind === 'output' ? [event.text] : [],
    );
    expect(await playedByAsciinema(file)).toEqual({ output: texts.join(''), errors: [] });
  });
});

describe('kill -9 while recording', () => {
  it.each(Array.from({ length: 2 }, () => randomInt(5, 300)))(
    'after %i ms everything that was said to be written is there, line by line (B33)',
    async (moment) => {
      const id = randomUUID();
      const child = spawn(process.execPath, [PROGRAM, recordings.folder, id], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let told = 0;
      const lines = createInterface(child.stdout);
      lines.on('line', (line) => {
        told = Number(line);
      });
      await once(lines, 'line');
      await delay(moment);
      child.kill('SIGKILL');
      await once(child, 'close');
      const events = [...readEvents(recordings.folderOf(id))];
      expect(events.at(-1)?.end).toBeGreaterThanOrEqual(told);
      expect(events.some(({ kind }) => kind === 'ended')).toBe(false);
      const numbers = outputOf(events).toString('latin1').split(' \xff\n').slice(0, -1).map(Number);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect(await recordings.list()).toEqual([id]);
    },
  );
});

describe('a full disk', () => {
  it('the session goes on and says that it is no longer recorded; the file ends with whole lines (B33)', async ({
    skip,
  }) => {
    const disk = join(root, 'disk');
    mkdirSync(disk);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    if (mounted.status !== 0) skip('needs the right to mount a small tmpfs');
    try {
      record(join(disk, 'transcripts'));
      const flood = `for n in {1..300}; do printf '%05d%01000d\\n' $n 0; done; read -r _; echo goes on`;
      const shell = await host.open({ command: bash(flood.replaceAll('300', '3000')) });
      await shell.sink.until(() => shell.sink.notices.length > 0);
      expect(shell.sink.notices).toEqual([{ kind: 'recording-stopped', why: 'The disk is full.' }]);
      expect(shell.session.posture).toMatchObject({ recorded: false, recordingStopped: 'The disk is full.' });
      await shell.shows('03000');
      shell.type('\r');
      await shell.shows('goes on');
      await shell.outcome();
      await finished(shell);
      const events = [...readEvents(folderOf(shell))];
      expect(events.slice(-3)).toMatchObject([
        { kind: 'moment', moment: { kind: 'recording-stopped', why: 'The disk is full.' } },
        { kind: 'exit', status: '0' },
        { kind: 'ended' },
      ]);
      const bytes = readFileSync(join(folderOf(shell), '0001.cast'));
      expect(events.at(-1)?.end).toBe(bytes.length);
      expect(outputOf(events).length).toBeGreaterThan(500_000);
      expect(shell.sink.text.startsWith(outputOf(events).toString())).toBe(true);
    } finally {
      await recordings.close();
      spawnSync('umount', [disk]);
    }
  });
});

describe('a recorder that fails', () => {
  const begin = () => {
    const profile = profileSchema.parse({ id: 'p', name: 'P' });
    const about = { kind: 'shell', title: 'P', profile, posture: SCRIPTED_POSTURE } as const;
    return recordings.start({ ...about, id: randomUUID(), size: { cols: 80, rows: 24 } });
  };
  const failure = (recording: SessionRecording) =>
    new Promise<string>((resolve) => {
      recording.onStopped(resolve);
      // What no encoder takes.
      recording.mark(null as unknown as UntimedMoment);
    });

  it('leaves files that say why they stopped and how their sessions ended, and none that seems to go on', async () => {
    const told: RecordingProgress[] = [];
    recordings.onProgress((progress) => told.push(progress));
    const recording = begin();
    const [id = ''] = recordings.running;
    recording.output(Buffer.from('before'));
    expect(await recording.written()).toBeNull();
    const why = await failure(recording);
    expect(await recording.written()).toBe(why);
    const events = () => [...readEvents(recordings.folderOf(id))].slice(1);
    expect(events()).toMatchObject([
      { kind: 'output', text: 'before' },
      { kind: 'moment', moment: { kind: 'recording-stopped', why } },
    ]);
    recording.output(Buffer.from('not recorded'));
    recording.state({
      ...{ kind: 'ended', cause: 'program-ended', outcome: { kind: 'exited', code: 3 } },
      release: { removed: true, steps: [] },
    });
    expect(await recording.written()).toBe(why);
    expect(events().slice(2)).toMatchObject([{ kind: 'exit', status: '3' }, { kind: 'ended' }]);
    const bytes = statSync(join(recordings.folderOf(id), '0001.cast')).size;
    expect(told.at(-1)).toEqual({ id, bytes, ended: true });
    expect(recordings.running).toEqual([]);
  });

  it('takes no recording with it that begins at once after it', async () => {
    expect(await failure(begin())).toMatch(/^The recorder failed: /);
    const next = begin();
    next.output(Buffer.from('goes on'));
    expect(await next.written()).toBeNull();
  });
});

describe('what cannot be recorded', () => {
  let test: TestHost;
  let client: TestClient;
  beforeEach(async () => {
    test = new TestHost(new MemoryEngine());
    client = await test.client();
  });
  afterEach(() => test.dispose());

  const refuseFolder = () => writeFileSync(join(test.dataDir, 'transcripts'), 'not a folder');
  const notices = () => client.events.filter(({ event }) => event === 'session.notice');
  const causes = () =>
    client.events.flatMap((event) =>
      event.event === 'session.state' && event.state.kind === 'ended' ? [event.state.cause] : [],
    );

  async function openGoverned(): Promise<string> {
    const catalog = await client.request('manifests.list', {});
    if (!catalog.ok) throw new Error(catalog.error.message);
    const loaded = catalog.value.manifests.find(({ manifest }) => manifest.name === 'report_writer');
    const opened = await client.request('governed.open', {
      profileId: 'shell',
      size: { cols: 80, rows: 24 },
      manifestDigest: loaded?.digest ?? '',
      project: root,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value.sessionId;
  }

  it('a shell goes on and its pane says so', async () => {
    refuseFolder();
    const opened = await client.request('session.open', { profileId: 'shell', size: { cols: 80, rows: 24 } });
    expect(opened).toMatchObject({ ok: true, value: { posture: { recorded: true } } });
    await client.until(() => notices().length > 0);
    expect(notices()).toMatchObject([{ notice: { kind: 'recording-stopped' } }]);
    expect(client.states(opened.ok ? opened.value.sessionId : '')).toEqual(['running']);
  });

  it('a governed session ends before a command has run (T3: fails closed)', async () => {
    refuseFolder();
    const sessionId = await openGoverned();
    const request = { command: 'look', text: 'rates', args: {} };
    expect(await client.request('governed.run', { sessionId, request })).toMatchObject({ ok: false });
    await client.until(() => causes().length > 0);
    expect(causes()).toEqual(['recording-lost']);
    expect(notices()).toMatchObject([{ notice: { kind: 'recording-stopped' } }]);
  });

  it('a governed session ends when its recording reaches its cap (T3: fails closed)', async () => {
    await client.changeSettings((settings) => ({
      ...settings,
      profiles: sandboxProfiles(settings).map((profile) => ({ ...profile, recordMaxMiB: 1 })),
    }));
    const sessionId = await openGoverned();
    await client.until(() => client.states(sessionId).includes('running'));
    const text = 'x'.repeat(300_000);
    for (let count = 0; count < 5; count += 1)
      test.host.recordings.mark(sessionId, { kind: 'notice', label: 'Large', text });
    await client.until(() => causes().length > 0);
    expect(causes()).toEqual(['recording-lost']);
    const why = 'The transcript has reached its limit of 1 MiB.';
    expect(notices()).toMatchObject([{ notice: { kind: 'recording-stopped', why } }]);
  });
});
