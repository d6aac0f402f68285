import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { recoverSessions } from '../../session/recover-sessions.ts';
import { SessionLedger } from '../../session/session-ledger.ts';
import { SessionRegistry } from '../../session/session-registry.ts';
import { RecordingSink } from '../../session/testing/recording-sink.ts';
import { waitUntil } from '../wait.ts';
import { response } from './testing/peer.ts';
import { onPty } from './testing/pty-program.ts';
import { smolvmWorkbench } from './testing/workbench.ts';

const bench = smolvmWorkbench();
const PATIENCE_MS = 20_000;

let registry: SessionRegistry | undefined;
afterEach(() => registry?.releaseAll('host-closing'));

/** A session as a client has it, of a program that is this shell script. */
async function session(script: string) {
  const file = join(bench.folder, 'program');
  writeFileSync(file, `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  bench.peer.program = onPty;
  registry = new SessionRegistry({
    engines: new Map([['smolvm', bench.engine]]),
    ledgerFolder: join(bench.folder, 'sessions'),
  });
  const sink = new RecordingSink();
  const opened = await registry.open({
    profile: bench.profile({}, { command: [file] }),
    project: null,
    size: { cols: 80, rows: 24 },
    principal: 'client',
    sink,
    signal: new AbortController().signal,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  return { session: opened.value, sink };
}

/** What the next start is told after this host has ended in order with a session that could not be opened. */
async function nextStart() {
  const ledgerFolder = join(bench.folder, 'sessions');
  const engines = new Map([['smolvm', bench.engine]] as const);
  registry = new SessionRegistry({ engines, ledgerFolder });
  bench.peer.answersUpgrade = (_request, socket) => {
    socket.end(response(500, {}));
    return true;
  };
  const request = { profile: bench.profile(), project: null, size: { cols: 80, rows: 24 } };
  const client = { principal: 'client', sink: new RecordingSink(), signal: new AbortController().signal };
  expect((await registry.open({ ...request, ...client })).ok).toBe(false);
  return async () => {
    await registry?.releaseAll('host-closing');
    const [name = ''] = readdirSync(ledgerFolder);
    const left = readFileSync(join(ledgerFolder, name), 'utf8');
    writeFileSync(join(ledgerFolder, name), left.replace(/"startTime":"\d+"/, '"startTime":"1"'));
    return recoverSessions(new SessionLedger(ledgerFolder), engines, new AbortController().signal);
  };
}

describe('rule 10: a session that could not be opened', () => {
  it('is told of with its reason at the next start', async () => {
    const { needsAttention } = await (await nextStart())();
    expect(needsAttention).toMatchObject([
      { detail: expect.stringMatching(/machine "dev" .*status 500.*mark its session as resolved/) },
    ]);
  });

  it('is not told of as open once it was resolved', async () => {
    const start = await nextStart();
    await bench.engine.machines.resolve({ address: bench.peer.address, machine: 'dev' });
    expect(await start()).toMatchObject({ needsAttention: [], problems: [] });
  });
});

describe('Ctrl-C during a flood', () => {
  const INTERRUPTED = `trap 'touch "$0.interrupted"; echo interrupted; exit 5' INT; while :; do echo a line of a flood; done`;
  const interrupted = () => existsSync(join(bench.folder, 'program.interrupted'));

  it('reaches the program while the page parses nothing at all, on a Unix socket', async () => {
    const { session: flooded, sink } = await session(INTERRUPTED);
    let since = performance.now();
    sink.onOutput = () => {
      since = performance.now();
    };
    // The page has as much as it wants and does not parse it: nothing more comes.
    const isStill = () => sink.bytes > 0 && performance.now() - since > 1_000;
    expect(await waitUntil(isStill, PATIENCE_MS)).toBe(true);
    flooded.input('typed', Buffer.from('\x03'));
    expect(await waitUntil(interrupted, PATIENCE_MS)).toBe(true);
    expect(flooded.state.kind).toBe('running');
    sink.onOutput = () => setImmediate(() => flooded.parsed(sink.bytes));
    flooded.parsed(sink.bytes);
    await flooded.closed;
    expect(sink.text.endsWith('interrupted\r\n')).toBe(true);
    expect(sink.last).toMatchObject({ kind: 'ended', outcome: { kind: 'exited', code: 5 } });
  });

  it('reaches the program while the page parses slowly, on TCP', async () => {
    await bench.useTcp();
    const { session: flooded, sink } = await session(INTERRUPTED);
    let parsed = 0;
    const page = setInterval(() => {
      parsed = Math.min(sink.bytes, parsed + 128 * 1024);
      flooded.parsed(parsed);
    }, 10);
    try {
      expect(await waitUntil(() => parsed > 4 * 1024 * 1024, PATIENCE_MS)).toBe(true);
      flooded.input('typed', Buffer.from('\x03'));
      expect(await waitUntil(interrupted, PATIENCE_MS)).toBe(true);
      await flooded.closed;
    } finally {
      clearInterval(page);
    }
    expect(sink.last).toMatchObject({ kind: 'ended', outcome: { kind: 'exited', code: 5 } });
  });
});

it('a session that is ended needs attention, says what to do, and blocks the next one', async () => {
  const { session: shell, sink } = await session('echo ready; sleep 1000');
  await sink.until(() => sink.text.includes('ready'));
  shell.end('user');
  await shell.closed;
  expect(sink.last).toMatchObject({
    kind: 'needs-attention',
    outcome: { kind: 'unknown', reason: expect.stringContaining('terminal_close') },
    release: { removed: false, reason: expect.stringContaining('mark its session as resolved') },
  });
  await expect(bench.open()).rejects.toThrow('is blocked');
});
