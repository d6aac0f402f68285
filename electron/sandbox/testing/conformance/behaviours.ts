import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { sandboxLimitsSchema } from '../../../../shared/settings/schema.ts';
import { DRAIN_DEADLINE_MS, RELEASE_DEADLINE_MS } from '../../../../shared/terminal/limits.ts';
import type { SandboxIdentity } from '../../engine.ts';
import { waitUntil } from '../../wait.ts';
import { processesWith, SandboxShell } from '../sandbox-shell.ts';
import { type ConformanceBench, PROMPT } from './conformance-bench.ts';
import { wholeTails } from './tails.ts';

const HOST = fileURLToPath(new URL('./lone-host.ts', import.meta.url));

const MIB = 1024 * 1024;
/** Milliseconds for what must come to come. */
const PATIENCE_MS = 20_000;
/** How long a program is held back, so that it would be far ahead if it were not. */
const HELD_MS = 2_000;
/** How long a fast program needs at most to fill every buffer between it and a reader that pauses. */
const FULL_MS = 500;
/** Bytes that may lie between a program and its reader: kernel buffers, sockets, what an engine keeps. */
const UNDERWAY_MAX = 4 * MIB;

export interface Behaviour {
  readonly name: string;
  readonly check: (bench: ConformanceBench) => Promise<void>;
}

/** What every engine must do, by name. */
export const BEHAVIOURS: readonly Behaviour[] = [
  {
    name: 'ST-5 the program begins at the right size',
    check: async (bench) => {
      const { text } = await bench.run('stty size');
      expect(text).toBe('41 133\r\n');
    },
  },
  {
    name: 'ST-9 a new size is there before what is typed after it, and the last of many holds',
    check: async (bench) => {
      const shell = await bench.interactive();
      await shell.terminal.resize({ cols: 101, rows: 37 });
      await shell.type(sizeAsked(bench, '37', '101'));
      await shell.shows('37 101');
      for (let step = 0; step < 50; step++) {
        await shell.terminal.resize({ cols: 40 + ((step * 7) % 161), rows: 10 + (step % 51) });
      }
      await shell.terminal.resize({ cols: 77, rows: 22 });
      await shell.type(sizeAsked(bench, '22', '77'));
      await shell.shows('22 77');
    },
  },
  {
    name: 'ST-2 output arrives byte for byte, wherever characters are cut',
    check: async (bench) => {
      const line = 'é端😀ü→';
      const { text } = await bench.run(
        `i=0; while [ $i -lt 3000 ]; do printf '${line}'; i=$((i+1)); done; printf 'a\\000\\377b'`,
      );
      expect(text.slice(0, -4)).toBe(line.repeat(3000));
      expect(text.endsWith('a\0\ufffdb')).toBe(true);
    },
  },
  {
    name: 'Ctrl-C ends the program and not the shell',
    check: async (bench) => {
      const shell = await bench.interactive();
      // Said by the job, which has the terminal by then.
      await shell.type(`sh -c 'echo asl""eep; exec sleep 1000'\r`);
      await shell.shows('asleep');
      await shell.type('\x03');
      await shell.shows(PROMPT);
      await shell.type('echo code=$?\r');
      await shell.shows('code=130');
    },
  },
  {
    name: 'B29 Ctrl-Z stops a program, and fg goes on with it',
    check: async (bench) => {
      const shell = await bench.interactive();
      await shell.type(`sh -c 'echo wai""ting; read x; echo "got $x"'\r`);
      await shell.shows('waiting');
      await shell.type('\x1a');
      await shell.shows(PROMPT);
      await shell.type('jobs\r');
      await shell.shows('Stopped');
      await shell.shows(PROMPT);
      await shell.type('fg\r');
      // Said by the shell as it lets go of the terminal.
      await shell.shows('read x');
      await shell.type('it\r');
      await shell.shows('got it');
      await shell.shows(PROMPT);
      expect(shell.text).not.toContain('job control');
    },
  },
  {
    name: 'B29 a program is told of a new size',
    check: async (bench) => {
      // Some are given their first size as they run.
      const first = `until [ "$(stty size)" = "41 133" ]; do sleep 0.1; done`;
      const shell = await bench.script(
        `${first}; trap 'stty size' WINCH; echo read""y; while :; do sleep 0.1; done`,
      );
      await shell.shows('ready');
      await shell.terminal.resize({ cols: 99, rows: 33 });
      await shell.shows('33 99');
    },
  },
  {
    name: 'B06 Ctrl-P, Ctrl-Q and NUL reach the program at once',
    check: async (bench) => {
      const shell = await bench.script('stty raw -echo; echo go; head -c 4 | od -An -tx1');
      await shell.shows('go');
      await shell.type('\x10\x11\0a');
      await shell.shows('10 11 00 61');
    },
  },
  {
    name: 'B12 a paste of 200 KB arrives whole',
    check: async (bench) => {
      const paste = Buffer.from('0123456789abcde\n'.repeat(12_500));
      const shell = await bench.script(`stty raw -echo; echo go; head -c ${paste.length} | sha256sum`);
      await shell.shows('go');
      await shell.terminal.write(paste);
      await shell.shows(createHash('sha256').update(paste).digest('hex'));
    },
  },
  {
    name: 'ST-18 a reader that pauses holds the program back, and loses nothing',
    check: async (bench) => {
      // Ctrl-C throws away what a terminal still holds, unless it is told not to; and its echo may stand within a line.
      const shell = await bench.script(
        `stty noflsh -echo; trap 'echo "total $i lines"; exit 0' INT; i=0; while :; do i=$((i+1)); echo "line $i of a flood"; done`,
      );
      await shell.shows('line 100 ');
      shell.terminal.pause();
      const before = shell.bytes.length;
      await delay(HELD_MS);
      await shell.type('\x03');
      shell.terminal.resume();
      await shell.shows(' lines');
      await shell.terminal.ended;
      const numbers = [...shell.text.matchAll(/line (\d+) of a flood\r\n/g)].map(([, n]) => Number(n));
      const total = Number(/total (\d+) lines/.exec(shell.text)?.[1]);
      // The last one is interrupted before it is written, or after.
      expect(total - numbers.length).toBeOneOf([0, 1]);
      expect(numbers.every((n, index) => n === index + 1)).toBe(true);
      // What the program wrote while nobody read.
      expect(shell.bytes.length - before).toBeLessThan(UNDERWAY_MAX);
    },
  },
  {
    name: 'Ctrl-C ends a flood that was paused, once it is read again',
    check: async (bench) => {
      const shell = await bench.interactive();
      await shell.type('while :; do echo flood; done\r');
      await shell.shows('flood\r\nflood');
      shell.terminal.pause();
      await shell.type('\x03');
      shell.terminal.resume();
      await shell.shows(PROMPT);
      await shell.type('echo af""ter\r');
      await shell.shows('after');
    },
  },
  ...[0, 7, 42].map((code) => ({
    name: `ST-22 exit status ${code} is told`,
    check: async (bench: ConformanceBench) => {
      const { outcome } = await bench.run(`exit ${code}`);
      expect(outcome).toEqual({ kind: 'exited', code });
    },
  })),
  {
    name: 'ST-22 a program that was killed did not end well (137)',
    check: async (bench) => {
      const { outcome } = await bench.run('kill -9 $$');
      expect([
        { kind: 'exited', code: 137 },
        { kind: 'signalled', signal: 9, name: 'SIGKILL' },
      ]).toContainEqual(outcome);
    },
  },
  {
    name: 'ST-22 a session that was lost is not said to have exited',
    check: async (bench) => {
      const shell = await bench.script('echo run""ning; sleep 1000');
      await shell.shows('running');
      await bench.subject.lose(shell.terminal);
      const outcome = await shell.terminal.ended;
      expect(outcome.kind === 'unknown' || outcome.kind === 'signalled').toBe(true);
    },
  },
  {
    name: 'ST-21 all output comes before the end',
    check: async (bench) => {
      const { runs } = bench.subject.tails;
      expect(await wholeTails(bench, runs)).toBe(runs);
    },
  },
  {
    name: 'ST-21 a paused reader is told of the end as well',
    check: async (bench) => {
      const shell = await bench.script('echo last""words; exit 5');
      shell.terminal.pause();
      const outcome = await Promise.race([
        shell.terminal.ended,
        delay(PATIENCE_MS + DRAIN_DEADLINE_MS, null, { ref: false }),
      ]);
      expect(outcome).toEqual({ kind: 'exited', code: 5 });
      expect(shell.text).toContain('lastwords');
    },
  },
  {
    name: 'ST-24 a release leaves nothing, daemons included',
    check: async (bench) => {
      const marker = `conformance-${randomUUID()}`;
      const shell = await bench.script(daemonScript(marker));
      await shell.shows('started');
      const report = await shell.terminal.release();
      expect(report).toMatchObject({ removed: true });
      expect(await waitUntil(() => processesWith(marker).length === 0, PATIENCE_MS)).toBe(true);
      expect(await bench.subject.leftovers()).toEqual([]);
      expect(await bench.subject.engine.recover(shell.terminal.identity)).toEqual({ kind: 'absent' });
    },
  },
  {
    name: 'ST-24 B31 a flood that nobody reads is ended in time, and its end is not called a success',
    check: async (bench) => {
      for (const trap of ['', 'trap "" HUP TERM; ']) {
        const shell = await bench.script(`${trap}yes a line of a flood`);
        await shell.shows('flood');
        shell.terminal.pause();
        await delay(FULL_MS);
        const before = shell.bytes.length;
        const begun = performance.now();
        const { removed } = await shell.terminal.release();
        expect(performance.now() - begun).toBeLessThan(RELEASE_DEADLINE_MS);
        expect(shell.bytes.length - before).toBeLessThan(UNDERWAY_MAX);
        expect(await shell.terminal.ended).not.toEqual({ kind: 'exited', code: 0 });
        expect(removed).toBe(true);
        expect(await bench.subject.leftovers()).toEqual([]);
      }
    },
  },
  {
    name: 'ST-6 an opening that is cancelled, early or late, leaves nothing',
    check: async (bench) => {
      const begun = performance.now();
      await (await bench.script('exit')).terminal.release();
      const openingMs = performance.now() - begun;
      for (const share of [0, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85]) {
        const marker = `conformance-${randomUUID()}`;
        const cancelled = AbortSignal.timeout(Math.round(share * openingMs));
        const opened = await bench.script(daemonScript(marker), {}, cancelled).catch((error) => error);
        if (opened instanceof SandboxShell) await opened.terminal.release();
        else expect(opened).toMatchObject({ tag: 'open-failed' });
        expect(await waitUntil(() => processesWith(marker).length === 0, PATIENCE_MS)).toBe(true);
        expect(await bench.subject.leftovers()).toEqual([]);
      }
    },
  },
  {
    name: 'ST-26 what a killed host left is removed by the next one',
    check: async (bench) => {
      const marker = `conformance-${randomUUID()}`;
      const args = [HOST, ...bench.subject.hostArguments, daemonScript(marker)];
      const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        const [line] = (await once(createInterface(host.stdout), 'line')) as [string];
        const identity = JSON.parse(line) as SandboxIdentity;
        host.kill('SIGKILL');
        await once(host, 'exit');
        const report = await bench.subject.engine.recover(identity);
        expect(['absent', 'removed']).toContain(report.kind);
        expect(await waitUntil(() => processesWith(marker).length === 0, PATIENCE_MS)).toBe(true);
        expect(await bench.subject.leftovers()).toEqual([]);
      } finally {
        host.kill('SIGKILL');
      }
    },
  },
  {
    name: 'has no network unless its profile says so',
    check: async (bench) => {
      const server = createServer((socket) => socket.destroy()).listen(0, '0.0.0.0');
      await once(server, 'listening');
      try {
        const { port } = server.address() as { port: number };
        const { connects, networkOn } = bench.subject;
        const attempts = ['127.0.0.1', ...hostAddresses()]
          .map((address) => `${connects(address, port)} && echo reached ${address}`)
          .join('; ');
        const script = `${attempts}; echo tri""ed`;
        const { text } = await bench.run(script);
        expect(text).toContain('tried');
        expect(text).not.toContain('reached');
        if (networkOn !== null) expect((await bench.run(script, networkOn)).text).toContain('reached');
      } finally {
        server.close();
      }
      const { terminal } = await bench.script('exit 0');
      expect(terminal.posture.network).toBe('none');
    },
  },
  {
    name: 'sees no file and no variable of the host',
    check: async (bench) => {
      const secret = `secret-${randomUUID()}`;
      const folders = [tmpdir(), homedir()].map((parent) =>
        mkdtempSync(join(parent, 'airlock-conformance-')),
      );
      process.env['AIRLOCK_CONFORMANCE'] = secret;
      try {
        for (const folder of folders) writeFileSync(join(folder, 'secret'), secret);
        const reads = folders.map((folder) => `cat '${folder}/secret'`).join('; ');
        const { text } = await bench.run(
          `${reads}; env; cat /proc/1/environ; ls /var/run/docker.sock; echo loo""ked`,
        );
        expect(text).toContain('looked');
        expect(text).not.toContain(secret);
        expect(text).not.toMatch(/^\/var\/run\/docker\.sock/m);
      } finally {
        delete process.env['AIRLOCK_CONFORMANCE'];
        for (const folder of folders) rmSync(folder, { recursive: true });
      }
    },
  },
  {
    name: 'is no privileged user, and cannot write to its system',
    check: async (bench) => {
      const { text } = await bench.run(
        'id -u; grep ^CapEff /proc/self/status; touch /usr/written /etc/written /bin/written 2>/dev/null || echo ref""used',
      );
      expect(text).not.toMatch(/^0\r$/m);
      expect(text).toMatch(/CapEff:\s+0000000000000000/);
      expect(text).toContain('refused');
    },
  },
  {
    name: 'bounds processes, and says by how many',
    check: async (bench) => {
      const shell = await bench.script(
        // Not bash, which tries for a quarter of a minute before it gives up.
        `sh -c 'i=0; while [ $i -lt 400 ]; do sleep 100 & i=$((i+1)); done; echo started $i of them' 2>/dev/null; echo do""ne`,
        { limits: sandboxLimitsSchema.parse({ processes: 150 }) },
      );
      const { processes } = shell.terminal.posture.limits;
      if (processes === null) return expect(bench.subject.unbounded).toContain('processes');
      expect(processes).toBeLessThanOrEqual(150);
      await shell.terminal.ended;
      // A shell that can start nothing more gives up before it says so.
      expect(shell.text).toMatch(/^(done\r\n)?$/);
    },
  },
  {
    name: 'bounds memory, and says by how much',
    check: async (bench) => {
      const limits = sandboxLimitsSchema.parse({ memoryMiB: 128 });
      const shell = await bench.script('head -c 400m /dev/zero | tail -c 399m | wc -c; echo after $?', {
        limits,
      });
      const { memoryBytes } = shell.terminal.posture.limits;
      if (memoryBytes === null) return expect(bench.subject.unbounded).toContain('memory');
      expect(memoryBytes).toBeLessThanOrEqual(128 * MIB);
      await shell.terminal.ended;
      expect(shell.text).not.toContain(`${399 * MIB}`);
    },
  },
  {
    name: 'bounds /tmp and the home folder',
    check: async (bench) => {
      const limits = sandboxLimitsSchema.parse({ homeMiB: 4, tmpMiB: 4 });
      const { text } = await bench.run(
        'for f in /tmp/x "$HOME/x"; do head -c 16m /dev/zero > "$f" 2>/dev/null; wc -c < "$f"; rm -f "$f"; done',
        { limits },
      );
      const sizes = text.split(/\s+/).filter(Boolean).map(Number);
      expect(sizes).toHaveLength(2);
      for (const size of sizes) expect(size).toBeLessThanOrEqual(4 * MIB);
    },
  },
];

/** Shows the size of the terminal, once it is what it is to be where it may come late. Its echo is not what it shows. */
function sizeAsked({ subject }: ConformanceBench, rows: string, cols: string): string {
  return subject.sizesLag
    ? `until [ "$(stty size)" = '${rows}'' ${cols}' ]; do sleep 0.1; done; stty size\r`
    : 'stty size\r';
}

/** A program with a daemon that heeds no polite signal, and says "started" when both run. */
function daemonScript(marker: string): string {
  return `(setsid sh -c ': ${marker}; trap "" HUP TERM INT; echo star""ted; while :; do sleep 1; done' &); : ${marker}; sleep 1000`;
}

function hostAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}
