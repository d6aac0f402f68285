import { createHash, randomInt } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OUTPUT_CREDIT } from '../../shared/terminal/limits.ts';
import { JOB } from '../sandbox/testing/job.ts';
import { waitUntil } from '../sandbox/wait.ts';
import { processesMentioning } from './testing/processes.ts';
import { RealHost } from './testing/real-host.ts';

let host: RealHost;
beforeEach(() => {
  host = new RealHost();
});
afterEach(() => host.close());

const bash = (script: string) => ['/bin/bash', '--norc', '--noprofile', '-c', script];
/** Milliseconds after which what must come at once hangs; how fast it comes is measured by the bench. */
const SOON_MS = 20_000;
/** Bytes of one chunk at most; the engine joins what it reads up to this. */
const CHUNK_BYTES = 64 * 1024;

/** Masters and slaves of PTYs that this process has open. */
const ptysHeld = () =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return /^\/dev\/(ptmx|pts\/)/.test(readlinkSync(`/proc/self/fd/${descriptor}`));
    } catch {
      return false; // The one that listed them.
    }
  }).length;

describe('a shell', () => {
  it('ST-5 the first thing a program reads is the size it was opened with', async () => {
    const shell = await host.open({ command: bash('stty size'), size: { cols: 133, rows: 41 } });
    expect(await shell.outcome()).toEqual({ kind: 'exited', code: 0 });
    expect(shell.sink.text).toBe('41 133\r\n');
  });

  it('ST-2 what it writes to stdout and stderr is one stream, in the order of writing', async () => {
    const shell = await host.open({
      command: bash('for n in {1..200}; do echo out$n; echo err$n >&2; done'),
    });
    await shell.outcome();
    const lines = Array.from({ length: 200 }, (_, n) => `out${n + 1}\r\nerr${n + 1}\r\n`);
    expect(shell.sink.text).toBe(lines.join(''));
  });

  it('ST-8 Ctrl-C interrupts with 130, Ctrl-Z stops, fg goes on', async () => {
    const shell = await host.open();
    await shell.shows('ready$ ');
    shell.type(`${JOB}\r`);
    await shell.shows('asleep\r\n');
    shell.type('\x03');
    await shell.shows('ready$ ');
    shell.type('echo code=$?\r');
    await shell.shows('code=130');
    await shell.shows('ready$ ');
    shell.type(`${JOB}\r`);
    await shell.shows('asleep\r\n');
    shell.type('\x1a');
    await shell.shows('Stopped');
    await shell.shows('ready$ ');
    shell.type('fg\r');
    await shell.shows('continued');
    shell.type('\x03');
    await shell.shows('ready$ ');
    shell.type('exit 7\r');
    expect(await shell.outcome()).toEqual({ kind: 'exited', code: 7 });
  });

  it('ST-9 B04 of many resizes the last is in force for what is typed right after it', async () => {
    const shell = await host.open();
    await shell.shows('ready$ ');
    for (let n = 0; n < 200; n++) void shell.session.resize({ cols: 40 + (n % 160), rows: 10 + (n % 50) });
    const start = performance.now();
    const last = shell.session.resize({ cols: 101, rows: 37 });
    shell.type('stty size\r');
    await last;
    expect(performance.now() - start).toBeLessThan(SOON_MS);
    await shell.shows('37 101');
  });

  it('B12 a long paste arrives whole although the program reads late, and what is typed at once comes last', async () => {
    const text = Array.from({ length: 4000 }, (_, line) => `${line} é😀 lorem ipsum dolor sit amet\n`).join(
      '',
    );
    const bytes = Buffer.from(`${text}X`);
    const shell = await host.open({
      command: bash(`stty raw -echo; echo waiting; sleep 0.5; head -c ${bytes.length} | sha256sum`),
    });
    await shell.shows('waiting');
    for (let at = 0; at < bytes.length - 1; at += 4096) {
      const chunk = bytes.subarray(at, Math.min(at + 4096, bytes.length - 1));
      expect(shell.session.input('paste', chunk).ok).toBe(true);
    }
    shell.type('X');
    await shell.shows(createHash('sha256').update(bytes).digest('hex'));
  });

  it('ST-11 ~. ends it while nobody reads its input and the write hangs', async () => {
    const shell = await host.open({ command: bash('stty raw -echo; echo waiting; sleep 1000') });
    await shell.shows('waiting');
    for (let n = 0; n < 16; n++) shell.session.input('paste', new Uint8Array(64 * 1024).fill(0x0d));
    const start = performance.now();
    shell.type('~');
    shell.type('.');
    expect(await shell.outcome()).toMatchObject({ kind: 'exited' });
    expect(shell.sink.last).toMatchObject({ cause: 'escape' });
    expect(performance.now() - start).toBeLessThan(SOON_MS);
  });

  it('ST-13 suspended, a flood stops; resumed, it goes on', async () => {
    const shell = await host.open({ command: ['/usr/bin/yes'], keepOutput: false });
    await shell.sink.until(() => shell.sink.bytes > 1_000_000);
    shell.type('~\x1a');
    const suspendedAt = shell.sink.bytes;
    const other = await host.open();
    await other.shows('ready$ ');
    expect(shell.sink.bytes).toBe(suspendedAt);
    await shell.session.resume({ cols: 90, rows: 30 });
    await shell.sink.until(() => shell.sink.bytes > suspendedAt);
  });
});

describe('B30 floods', () => {
  it('ST-4 one session floods; another answers, and the flooding one is interrupted at once, within its cap', async () => {
    const flooding = await host.open({ keepOutput: false });
    const other = await host.open();
    let most = 0;
    const acknowledge = flooding.sink.onOutput;
    flooding.sink.onOutput = (bytes) => {
      most = Math.max(most, flooding.session.unparsedBytes);
      acknowledge(bytes);
    };
    flooding.type('yes\r');
    await flooding.sink.until(() => flooding.sink.bytes > 5_000_000);

    await other.shows('ready$ ');
    const delays: number[] = [];
    for (let n = 0; n < 20; n++) {
      const start = performance.now();
      other.type(`echo $((${n}+1000))\r`);
      await other.shows(`${n + 1000}\r\n`);
      await other.shows('ready$ ');
      delays.push(performance.now() - start);
    }
    expect(Math.max(...delays)).toBeLessThan(SOON_MS);
    expect((await other.session.resize({ cols: 50, rows: 20 })).ok).toBe(true);

    const start = performance.now();
    flooding.type('\x03');
    flooding.type('exit 5\r');
    expect(await flooding.outcome()).toEqual({ kind: 'exited', code: 5 });
    expect(performance.now() - start).toBeLessThan(SOON_MS);
    expect(most).toBeLessThanOrEqual(OUTPUT_CREDIT.high + CHUNK_BYTES);
    other.session.end('user');
    await other.outcome();
  });

  it('B31 without any acknowledgement output stops at the cap, the other sessions go on, and it can be ended', async () => {
    const flooding = await host.open({ command: ['/usr/bin/yes'], acknowledge: 'never' });
    await flooding.sink.until(() => flooding.sink.bytes > OUTPUT_CREDIT.high);
    const other = await host.open();
    await other.shows('ready$ ');
    expect(flooding.sink.bytes).toBeLessThanOrEqual(OUTPUT_CREDIT.high + CHUNK_BYTES);
    flooding.session.end('user');
    await flooding.outcome();
    // The end reads what the PTY still held, which is bounded by the kernel.
    expect(flooding.sink.bytes).toBeLessThanOrEqual(OUTPUT_CREDIT.high + 4 * CHUNK_BYTES);
  });

  it('B31 without any acknowledgement the end of a finished program is told once, after its last byte', async () => {
    const command = bash(`head -c ${OUTPUT_CREDIT.high} /dev/zero | tr '\\0' x; printf %2000s end; exit 9`);
    const shell = await host.open({ command, acknowledge: 'never' });
    expect(await shell.outcome()).toEqual({ kind: 'exited', code: 9 });
    expect(shell.sink.bytes).toBe(OUTPUT_CREDIT.high + 2000);
    expect(shell.sink.text.endsWith('end')).toBe(true);
    expect(shell.sink.states.map(({ kind }) => kind)).toEqual(['running', 'releasing', 'ended']);
  });
});

describe('ST-21 the end', () => {
  it('B29 throws away what nobody read: no later session gets it, and the PTY is closed', async () => {
    const waiting = bash('stty raw -echo; echo waiting; read -n 1 key; [[ $key == x ]] && exit 4');
    const terminals = ptysHeld();
    const shell = await host.open({ command: waiting });
    await shell.shows('waiting');
    shell.type('xecho PWNED\recho PWNED\n');
    expect(await shell.outcome()).toEqual({ kind: 'exited', code: 4 });
    expect(ptysHeld()).toBe(terminals);
    const next = await host.open();
    await next.shows('ready$ ');
    next.type('echo do""ne\r');
    await next.shows('done');
    expect(shell.sink.text + next.sink.text).not.toContain('PWNED');
  });

  // The engine's own are looked at a hundred times: see sandbox/testing/conformance.
  it('comes once and after the last byte, in 10 of 10 runs', async () => {
    const lines = Array.from({ length: 3000 }, (_, n) => `${n + 1}\r\n`).join('');
    for (let run = 0; run < 10; run++) {
      const shell = await host.open({ command: bash('seq 3000; exit 3') });
      expect(await shell.outcome()).toEqual({ kind: 'exited', code: 3 });
      expect(shell.sink.events).toEqual(['running', `output:${lines}`, 'releasing', 'ended']);
    }
  });

  it.each(['user', 'client-lost', 'host-closing'] as const)(
    'ST-24 after %s nothing of the sandbox is left, its daemons included',
    async (cause) => {
      const marker = `${randomInt(1e9, 2e9)}.5`;
      const shell = await host.open();
      await shell.shows('ready$ ');
      shell.type(`setsid -f sleep ${marker}; trap "" HUP TERM; echo sta""rted\r`);
      await shell.shows('started');
      // A process has no arguments for a moment while it becomes its program.
      expect(await waitUntil(() => processesMentioning(marker).length === 1, SOON_MS)).toBe(true);
      shell.session.end(cause);
      await shell.outcome();
      expect(processesMentioning(marker)).toEqual([]);
      expect(shell.sink.last).toMatchObject({ kind: 'ended', cause, release: { removed: true } });
    },
  );
});
