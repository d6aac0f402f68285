import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn as spawnPty } from '@lydell/node-pty';
import { afterEach, describe, expect, it } from 'vitest';
import { OUTPUT_CREDIT, OUTPUT_FRAME } from '../shared/terminal/limits.ts';
import { eventually } from './connection/testing/eventually.ts';
import type { TestClient } from './connection/testing/test-client.ts';
import { endWords } from './serve.ts';
import { CLI, clientOf, processesWith, ServeProcess } from './server/testing/serve-process.ts';
import { thisHost } from './session/host-identity.ts';

const running: { dispose(): Promise<void> | void }[] = [];

afterEach(async () => {
  // The last first: a process before its folder.
  for (const process of running.splice(0).reverse()) await process.dispose();
});

function start(...args: ConstructorParameters<typeof ServeProcess>): ServeProcess {
  const serve = new ServeProcess(...args);
  running.push(serve);
  return serve;
}

/** An argument that no other process has. */
const aMarker = () => `${randomInt(1e9, 2e9)}.5`;

function runs(client: TestClient, channel: number, command: string): void {
  client.input(channel, `${command}\r`);
}

describe('a client of airlock serve and a real sandbox', () => {
  it('opens at its size, types, resizes, and hears of the end after the last byte (ST-5, ST-9, ST-21)', async () => {
    const client = await start().client();
    const { sessionId, channel, posture } = await client.open({ cols: 101, rows: 37 });
    expect(posture.network).toBe('none');
    runs(client, channel, 'stty size; echo one-$((1+1))');
    await client.until(() => /37 101\r\n.*one-2\r\n/s.test(client.output(channel)));
    await client.request('session.resize', { sessionId, size: { cols: 90, rows: 20 } });
    runs(client, channel, 'stty size');
    await client.until(() => client.output(channel).includes('20 90\r\n'));
    runs(client, channel, 'seq 20000; exit 7');
    await client.until(() => client.states(sessionId).includes('ended'));
    expect(client.output(channel)).toMatch(/\r\n19999\r\n20000\r\n(exit\r\n)?$/);
    expect(client.log.at(-1)).toMatchObject({
      event: { state: { kind: 'ended', cause: 'program-ended', outcome: { kind: 'exited', code: 7 } } },
    });
  });

  it('~. ends the session, ~? is told to the pane and not to the program (ST-11, ST-14)', async () => {
    const client = await start().client();
    const { sessionId, channel } = await client.open();
    await client.until(() => client.output(channel) !== '');
    client.input(channel, '~?');
    const help = () => client.events.find((event) => event.event === 'session.notice');
    await client.until(() => help() !== undefined);
    expect(help()).toMatchObject({ notice: { kind: 'escape-help' } });
    client.input(channel, '~.');
    await client.until(() => client.states(sessionId).includes('ended'));
    expect(client.events.at(-1)).toMatchObject({ state: { cause: 'escape', release: { removed: true } } });
    expect(client.output(channel)).not.toMatch(/~[?.]/);
  });

  it('a client that does not acknowledge is sent no more than its credit, and everything later (B31)', async () => {
    const client = await start().client();
    client.acknowledges = false;
    const { sessionId, channel } = await client.open();
    const count = 300_000;
    const expected = Array.from({ length: count }, (_, n) => `${n + 1}\r\n`).join('');
    runs(client, channel, `PS1=; stty -echo; clear; seq ${count}; exit 9`);
    await client.until(() => (client.outputs.get(channel)?.length ?? 0) > OUTPUT_CREDIT.high);
    // Another round trip: whatever was on its way has arrived.
    await client.request('host.describe', {});
    const held = client.outputs.get(channel)?.length as number;
    expect(held).toBeLessThan(OUTPUT_CREDIT.high + 2 * OUTPUT_FRAME.maxBytes);
    expect(client.states(sessionId)).toEqual(['running']);

    client.acknowledges = true;
    client.send({ type: 'parsed', channel, total: held });
    await client.until(() => client.states(sessionId).includes('ended'));
    expect(client.output(channel).includes(expected)).toBe(true);
    expect(client.events.at(-1)).toMatchObject({ state: { outcome: { kind: 'exited', code: 9 } } });
  });

  it('a client that is gone loses its sessions, and nothing of them survives (ST-23)', async () => {
    const serve = start();
    const client = await serve.client();
    const marker = aMarker();
    const { channel } = await client.open();
    runs(client, channel, `setsid sleep ${marker} & sleep ${marker}`);
    await eventually(() => expect(processesWith(marker)).toHaveLength(2));
    client.close();
    await eventually(() => expect(processesWith(marker)).toEqual([]));
    expect(serve.child.exitCode).toBeNull();
  });
});

describe('airlock serve', () => {
  it('--json prints one line and nothing else', async () => {
    const serve = start();
    const { address, port, approvalPort, pid, dataDir, version } = await serve.started();
    expect(address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${approvalPort}/#token=[\\w-]{43}$`));
    expect(approvalPort).not.toBe(port);
    expect({ pid, dataDir, version }).toEqual({
      pid: serve.child.pid,
      dataDir: serve.dataDir,
      version: JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version,
    });
    expect(await serve.end()).toBe(0);
    expect(serve.stdout.trimEnd()).not.toContain('\n');
    expect(serve.stderr).toBe('');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s releases every session, tells its clients, and ends with 0',
    async (signal) => {
      const serve = start();
      const client = await serve.client();
      const marker = aMarker();
      const sessions = [await client.open(), await client.open()];
      for (const { channel } of sessions) runs(client, channel, `setsid sleep ${marker} & sleep ${marker}`);
      await eventually(() => expect(processesWith(marker)).toHaveLength(4));
      expect(await serve.end(signal)).toBe(0);
      expect(processesWith(marker)).toEqual([]);
      await client.until(() => client.closed);
      expect(client.events.map(({ event }) => event)).toContain('host.closing');
      for (const { sessionId } of sessions) expect(client.states(sessionId).at(-1)).toBe('ended');
    },
  );

  it('ends with 0 although nobody reads its output any more', async () => {
    const serve = start();
    await serve.started();
    serve.child.stdout?.destroy();
    serve.child.stderr?.destroy();
    expect(await serve.end()).toBe(0);
  });

  it('is there, and ends, while a daemon that a dead host used does not answer (ST-26)', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'airlock-serve-'));
    const asked = Promise.withResolvers<void>();
    const daemon = createServer(() => asked.resolve()).listen(join(dataDir, 'daemon.sock'));
    running.push({ dispose: () => void daemon.close() });
    const left = join(dataDir, 'sessions/left.jsonl');
    const about = { session: 'one', engine: 'container', at: '2026-01-01T00:00:00.000Z' };
    const identity = { kind: 'container', id: 'a'.repeat(64), endpoint: `unix://${dataDir}/daemon.sock` };
    const lines = [
      { ...thisHost(), bootId: 'another' },
      { ...about, event: 'intent', profile: 'box' },
      { ...about, event: 'committed', identity },
    ];
    mkdirSync(join(dataDir, 'sessions'), { mode: 0o700 });
    writeFileSync(left, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const serve = start(['--json'], dataDir);
    await serve.started();
    await asked.promise;
    expect(await serve.end()).toBe(0);
    expect(readdirSync(join(dataDir, 'sessions'))).toEqual(['left.jsonl']);
  });

  it('a port that is taken: says so and what to do', async () => {
    const { port } = await start().started();
    const second = start(['--json', '--port', String(port)]);
    expect(await second.ended()).toBe(1);
    expect(second.stdout).toBe('');
    expect(second.stderr).toBe(
      `error: Port ${port} is used by another program. Choose another with --port, or leave --port out to get a free one.\n` +
        '(airlock --help lists the commands and options)\n',
    );
  });

  it('with --port, the approval page has the next one; when that is taken: says so', async () => {
    const { port: free } = await start().started();
    await running.pop()?.dispose();
    const first = await start(['--json', '--port', String(free)]).started();
    expect([first.port, first.approvalPort]).toEqual([free, free + 1]);
    const second = start(['--json', '--port', String(free - 1)]);
    expect(await second.ended()).toBe(1);
    expect(second.stderr).toContain(
      `The approval page has a port of its own. Port ${free} is used by another program. ` +
        'Choose another with --approval-port; --approval-port 0 takes a free one.',
    );
    const third = await start(['--json', '--port', String(free - 1), '--approval-port', '0']).started();
    expect(third.port).toBe(free - 1);
    expect([free - 1, free, free + 1]).not.toContain(third.approvalPort);
  });

  it.each([
    [['--approval-port', '65536'], /'--approval-port <number>' .*from 0 to 65535/],
    [['--approval-port', '-1'], /'--approval-port <number>' .*from 0 to 65535/],
    [['--approval-port', '7e3'], /'--approval-port <number>' .*from 0 to 65535/],
    [['--approval-timeout', '3601'], /'--approval-timeout <seconds>' .*from 1 to 3600/],
    [['--port', '7777', '--approval-port', '7777'], /--approval-port must be another port than --port/],
  ])('%j: names the option and the bound', async (args, words) => {
    const serve = start(['--json', ...args]);
    expect(await serve.ended()).toBe(1);
    expect(serve.stderr).toMatch(words);
  });

  it('a data folder that cannot be used: says so and what to do', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'airlock-serve-')), 'file');
    writeFileSync(file, '');
    const serve = new ServeProcess(['--json'], join(file, 'data'));
    expect(await serve.ended()).toBe(1);
    expect(serve.stderr).toMatch(
      /^error: The data folder .* cannot be used: ENOTDIR.* Choose another with --data-dir\./,
    );
    rmSync(join(file, '..'), { recursive: true });
  });

  it('a bad settings file: starts with the defaults, names field and bound, keeps the file', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'airlock-serve-'));
    const path = join(dataDir, 'settings.json');
    writeFileSync(path, '{ "terminal": { "scrollback": 999999999 } }');
    const client = await start(['--json'], dataDir).client();
    expect(await client.request('settings.read', {})).toMatchObject({
      ok: true,
      value: {
        settings: { terminal: { scrollback: 10_000 } },
        problems: [{ field: 'terminal.scrollback', message: 'must be at most 200000, is 999999999' }],
      },
    });
    const { sessionId } = await client.open();
    expect(client.states(sessionId)).toEqual(['running']);
    expect(readFileSync(path, 'utf8')).toBe('{ "terminal": { "scrollback": 999999999 } }');
  });

  it('hears of a settings file that is edited while it runs', async () => {
    const serve = start();
    const client = await serve.client();
    writeFileSync(join(serve.dataDir, 'settings.json'), '{ "terminal": { "scrollback": 77 } }');
    await client.until(() => client.events.length > 0);
    expect(client.events[0]).toMatchObject({
      event: 'settings.changed',
      snapshot: { settings: { terminal: { scrollback: 77 } }, problems: [] },
    });
  });
});

it('what is not confirmed to be gone is said at the end, and nothing else', () => {
  expect(endWords({ sessions: 2, unconfirmed: 1 })).toBe(
    'Airlock has ended. Not confirmed to be gone: 1 session; the next start looks after what is left.',
  );
});

describe('airlock serve in a terminal', () => {
  function terminal(program: string, args: string[]) {
    const pty = spawnPty(program, args, {
      cols: 200,
      rows: 50,
      env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' },
    });
    const state = { output: '', code: null as number | null };
    pty.onData((data) => {
      state.output += data;
    });
    pty.onExit(({ exitCode }) => {
      state.code = exitCode;
    });
    const dispose = async () => {
      if (state.code === null) pty.kill('SIGKILL');
      await eventually(() => expect(state.code).not.toBeNull());
    };
    running.push({ dispose });
    return { pty, state };
  }

  const dataDir = () => {
    const folder = mkdtempSync(join(tmpdir(), 'airlock-serve-'));
    running.push({ dispose: () => rmSync(folder, { recursive: true, force: true }) });
    return folder;
  };
  const addresses = (text: string) => text.match(/http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}/g) ?? [];

  it('prints the address, a fresh one on Enter, and ends with 0 on Ctrl-C', async () => {
    const { pty, state } = terminal(process.execPath, [CLI, 'serve', '--data-dir', dataDir()]);
    await eventually(() => expect(state.output).toContain('Press Enter for a fresh one'));
    expect(addresses(state.output)).toHaveLength(1);
    pty.write('\r');
    await eventually(() => expect(new Set(addresses(state.output)).size).toBe(2));
    pty.write('\x03');
    await eventually(() => expect(state.code).toBe(0));
    expect(state.output.trimEnd().split('\r\n').at(-1)).toBe('Airlock has ended; no session was open.');
  });

  it('says at last what it has ended, governed sessions among it', async () => {
    const { pty, state } = terminal(process.execPath, [CLI, 'serve', '--data-dir', dataDir()]);
    await eventually(() => expect(addresses(state.output)).toHaveLength(1));
    const client = await clientOf(addresses(state.output)[0] as string);
    await client.open();
    const listed = await client.request('manifests.list', {});
    const manifestDigest = listed.ok ? (listed.value.manifests[0]?.digest ?? '') : '';
    const size = { cols: 80, rows: 24 };
    expect(await client.request('governed.open', { profileId: 'shell', size, manifestDigest })).toMatchObject(
      { ok: true },
    );
    pty.write('\x03');
    await eventually(() => expect(state.code).toBe(0));
    expect(state.output).toMatch(
      /\nAirlock has ended: 2 sessions released, every sandbox is confirmed to be gone\.\r\n$/,
    );
  });

  it('releases its sessions when the terminal is closed (SIGHUP)', async () => {
    const folder = dataDir();
    const { pty, state } = terminal(process.execPath, [CLI, 'serve', '--data-dir', folder]);
    await eventually(() => expect(addresses(state.output)).toHaveLength(1));
    const client = await clientOf(addresses(state.output)[0] as string);
    const marker = aMarker();
    runs(client, (await client.open()).channel, `sleep ${marker}`);
    await eventually(() => expect(processesWith(marker)).toHaveLength(1));
    (pty as unknown as { destroy(): void }).destroy();
    await client.until(() => client.closed);
    expect(client.events.at(-1)).toMatchObject({ state: { kind: 'ended', cause: 'host-closing' } });
    expect(processesWith(marker)).toEqual([]);
  });

  it('as a background job it never reads the terminal, so that it is not stopped', async () => {
    const { pty, state } = terminal('/bin/bash', ['--norc', '-i']);
    pty.write(`"${process.execPath}" "${CLI}" serve --data-dir "${dataDir()}" & echo "pid=$!."\r`);
    await eventually(() => expect(addresses(state.output)).toHaveLength(1));
    expect(state.output).not.toContain('Press Enter');
    const pid = /pid=(\d+)\./.exec(state.output)?.[1];
    pty.write('\recho again-$((1+1))\r');
    await eventually(() => expect(state.output).toContain('again-2'));
    expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).not.toMatch(/\) T /);
    pty.write('kill -TERM $!; wait $!; echo "code=$?."\r');
    await eventually(() => expect(state.output).toContain('code=0.'));
  });
});
