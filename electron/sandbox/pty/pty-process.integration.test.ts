import { createHash } from 'node:crypto';
import { closeSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { DRAIN_DEADLINE_MS, INPUT_QUEUE_MAX_BYTES } from '../../../shared/terminal/limits.ts';
import { script } from '../testing/sandbox-shell.ts';
import { withoutDescriptors } from '../testing/without-descriptors.ts';
import { waitUntil } from '../wait.ts';
import { openPty } from './native.ts';
import { PtyProcess } from './pty-process.ts';

const running: PtyProcess[] = [];
afterEach(async () => {
  for (const process_ of running.splice(0)) {
    if (process_.slaveDescriptor !== null && process_.pid !== null) process.kill(process_.pid, 'SIGKILL');
    await process_.ended;
  }
});

function start(command: readonly string[], size = { cols: 80, rows: 24 }): PtyProcess {
  const [file = '', ...args] = command;
  const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' };
  const started = new PtyProcess({ file, args, environment, size, pipes: 0, writersGone: async () => {} });
  running.push(started);
  return started;
}

/** A shell script whose standard input is the PTY too; what starts a process leaves that one closed. */
const onTerminal = (text: string) => script(`exec <&1; ${text}`);

/** Collects everything that is delivered. */
function collect(process_: PtyProcess): { readonly text: () => string; readonly bytes: () => Buffer } {
  const chunks: Uint8Array[] = [];
  process_.onOutput((chunk) => chunks.push(chunk.slice()));
  const bytes = () => Buffer.concat(chunks);
  return { bytes, text: () => bytes().toString('utf8') };
}

/** Milliseconds that a busy machine may stand still while something is measured: what is not held up for ever comes sooner. */
const STALL_MS = 10_000;

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const until = async (condition: () => boolean) => expect(await waitUntil(condition, 20_000)).toBe(true);

describe('output', () => {
  it('ST-21 has no byte missing when a program writes 20 KB and ends at once, in 100 runs', async () => {
    const program = `for i in {1..400}; do printf '%049d\\n' $i; done; exit 3`;
    const expected = Array.from({ length: 400 }, (_, i) => `${String(i + 1).padStart(49, '0')}\r\n`).join('');
    for (let run = 0; run < 100; run++) {
      const process_ = start(script(program));
      const output = collect(process_);
      expect(await process_.ended).toEqual({ code: 3, signal: null });
      expect(output.text()).toBe(expected);
    }
  });

  it('ST-21 all comes before the end, and nothing after it', async () => {
    const process_ = start(script('echo last words'));
    const output = collect(process_);
    await process_.ended;
    const atEnd = output.text();
    await new Promise((resolve) => setImmediate(resolve));
    expect(atEnd).toBe('last words\r\n');
    expect(output.text()).toBe(atEnd);
  });

  it('that nobody listened to yet is kept for the listener', async () => {
    const process_ = start(script('echo early'));
    await process_.ended;
    expect(collect(process_).text()).toBe('early\r\n');
  });

  it('ST-18 B31 stops the program while paused, and goes on without loss', async () => {
    const process_ = start(script('for ((i = 0; i < 60000; i++)); do echo line $i; done'));
    const output = collect(process_);
    await until(() => output.bytes().length > 0);
    process_.pause();
    process_.pause();
    const held = output.bytes().length;
    let exited = false;
    void process_.exited.then(() => {
      exited = true;
    });
    // A program that was not held back would have ended several times over.
    expect(await waitUntil(() => exited || output.bytes().length > held, 700)).toBe(false);
    process_.resume();
    expect(await process_.ended).toEqual({ code: 0, signal: null });
    const expected = Array.from({ length: 60_000 }, (_, i) => `line ${i}\r\n`).join('');
    expect(sha256(output.bytes())).toBe(sha256(expected));
  });

  it('ST-21 B31 of a program that ended while paused is delivered within the drain deadline', async () => {
    const process_ = start(onTerminal('echo one; read; printf "%3000d" 0; exit 9'));
    const output = collect(process_);
    await until(() => output.text().includes('one'));
    process_.pause();
    await process_.write(Buffer.from('\n'));
    await process_.exited;
    const exitedAt = performance.now();
    expect(await process_.ended).toEqual({ code: 9, signal: null });
    expect(performance.now() - exitedAt).toBeLessThan(DRAIN_DEADLINE_MS + STALL_MS);
    expect(output.text()).toContain(`${' '.repeat(2999)}0`);
  });

  it('ST-21 does not wait longer than the drain deadline for what keeps the PTY open', async () => {
    const process_ = new PtyProcess({
      file: '/bin/bash',
      args: ['-c', 'echo done'],
      environment: {},
      size: { cols: 80, rows: 24 },
      pipes: 0,
      writersGone: () => new Promise(() => {}),
    });
    const output = collect(process_);
    await process_.exited;
    const exitedAt = performance.now();
    await process_.ended;
    expect(performance.now() - exitedAt).toBeGreaterThan(DRAIN_DEADLINE_MS - 100);
    expect(performance.now() - exitedAt).toBeLessThan(DRAIN_DEADLINE_MS + STALL_MS);
    expect(output.text()).toBe('done\r\n');
  });

  it('is joined into larger chunks than the 4 KiB that the kernel gives', async () => {
    const process_ = start(script('printf "%0400000d" 0; exit 0'));
    const sizes: number[] = [];
    process_.onOutput((chunk) => sizes.push(chunk.length));
    await process_.ended;
    // As much as the kernel holds at that moment, often one read's worth; without joining no chunk would be longer.
    expect(Math.max(...sizes)).toBeGreaterThan(4_096);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(400_000);
  });

  it('B02 keeps bytes that are no text', async () => {
    const process_ = start(script(String.raw`printf 'ok\377\376\300\200\0\233ok2'`));
    const output = collect(process_);
    await process_.ended;
    expect(output.bytes()).toEqual(Buffer.from('ok\xff\xfe\xc0\x80\0\x9bok2', 'latin1'));
  });
});

describe('size', () => {
  it('ST-5 B05 is there before the program is, in 50 starts', async () => {
    for (let run = 0; run < 50; run++) {
      const process_ = start(onTerminal('stty size'), { cols: 133, rows: 41 });
      const output = collect(process_);
      await process_.ended;
      expect(output.text()).toBe('41 133\r\n');
    }
  });

  it('B04 (a) after a storm is the last one', async () => {
    const process_ = start(onTerminal('while :; do stty size; done'));
    const output = collect(process_);
    for (let step = 0; step < 200; step++) {
      process_.resize({ cols: 40 + ((step * 7) % 161), rows: 10 + (step % 51) });
      await new Promise((resolve) => setImmediate(resolve));
    }
    process_.resize({ cols: 101, rows: 37 });
    const seen = output.bytes().length;
    await until(() => output.bytes().subarray(seen).toString().includes('37 101\r\n37 101\r\n'));
    const rest = output.bytes().subarray(seen).toString();
    expect(rest.slice(rest.indexOf('37 101\r\n')).replaceAll('37 101\r\n', '')).toMatch(
      /^(3|37|37 |37 1.*)?$/,
    );
  });

  it('B04 (b) after the exit is left alone', async () => {
    const process_ = start(script('exit 0'));
    process_.onOutput(() => process_.resize({ cols: 90, rows: 30 }));
    void process_.exited.then(() => process_.resize({ cols: 91, rows: 31 }));
    await process_.ended;
    expect(() => process_.resize({ cols: 92, rows: 32 })).not.toThrow();
  });

  it.each([
    [0, 24],
    [80, 0],
    [-1, 5],
    [Number.NaN, 24],
    [70_000, 24],
    [80.5, 24],
    [Number.POSITIVE_INFINITY, 24],
  ])('B04 (c) %s x %s is refused, before and after the start', async (cols, rows) => {
    const process_ = start(onTerminal('read; stty size'));
    const output = collect(process_);
    expect(() => process_.resize({ cols, rows })).toThrow(RangeError);
    await process_.write(Buffer.from('\n'));
    await process_.ended;
    expect(output.text()).toContain('24 80');
    expect(() => start(script('exit 0'), { cols, rows })).toThrow();
  });
});

describe('input', () => {
  const lines = Array.from({ length: 2000 }, (_, i) => `${i} é😀 ${'x'.repeat(85)}\n`).join('');

  it.each(['raw', 'line'])(
    'B12 of 200 KB arrives whole and in order at a reader that is busy, in %s mode',
    async (mode) => {
      const all = `${lines}X\n`;
      const count = Buffer.byteLength(all);
      const setting = mode === 'raw' ? 'raw -echo' : '-echo';
      const process_ = start(
        onTerminal(`stty ${setting}; echo ready; sleep 1; head -c ${count} | sha256sum`),
      );
      const output = collect(process_);
      await until(() => output.text().includes('ready'));
      let ticks = 0;
      const ticker = setInterval(() => ticks++, 10);
      const first = process_.write(Buffer.from(lines));
      const second = process_.write(Buffer.from('X\n'));
      await Promise.all([first, second, process_.ended]);
      clearInterval(ticker);
      expect(output.text()).toContain(sha256(all));
      // The event loop was free while the reader slept.
      expect(ticks).toBeGreaterThan(20);
    },
  );

  it('is refused above the bound of the queue', async () => {
    const process_ = start(onTerminal('stty raw; echo ready; sleep 1000'));
    const output = collect(process_);
    await until(() => output.text().includes('ready'));
    const full = process_.write(new Uint8Array(INPUT_QUEUE_MAX_BYTES));
    await expect(process_.write(new Uint8Array(INPUT_QUEUE_MAX_BYTES))).rejects.toThrow(
      'bytes of input are waiting',
    );
    if (process_.pid !== null) process.kill(process_.pid, 'SIGKILL');
    await expect(full).rejects.toThrow('The terminal has ended.');
  });

  it('is refused after the end', async () => {
    const process_ = start(script('exit 0'));
    await process_.ended;
    await expect(process_.write(Buffer.from('x'))).rejects.toThrow('The terminal has ended.');
  });
});

describe('the exit', () => {
  it('by a signal is told as one', async () => {
    expect(await start(script('kill -TERM $$')).ended).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('of a program that does not exist is an error, not an exception', async () => {
    const process_ = start(['/nonexistent']);
    expect(process_.pid).toBeNull();
    const { code, signal, error } = await process_.ended;
    expect({ code, signal }).toEqual({ code: null, signal: null });
    expect(error?.message).toContain('ENOENT');
  });
});

it('arguments that the kernel does not take are an exception, and leave no descriptor', () => {
  const before = readdirSync('/proc/self/fd').length;
  expect(() => start(['/bin/echo', 'x'.repeat(200_000)])).toThrow('E2BIG');
  expect(readdirSync('/proc/self/fd').length).toBe(before);
});

it('a host without descriptors for one more terminal keeps none of half of it', async () => {
  const open = () => readdirSync('/proc/self/fd').length;
  const before = open();
  await withoutDescriptors(() => expect(() => start(script('exit'))).toThrow('EMFILE'), 2);
  expect(open()).toBe(before);
});

it('node-pty opens a PTY as this layer expects it', () => {
  const { master, slave, slavePath } = openPty({ cols: 80, rows: 24 });
  expect(master).toBeGreaterThan(2);
  expect(slave).toBeGreaterThan(2);
  expect(slavePath).toMatch(/^\/dev\/pts\/\d+$/);
  closeSync(master);
  closeSync(slave);
});
