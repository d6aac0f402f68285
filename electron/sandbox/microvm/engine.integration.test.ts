import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { MICROVM_MEMORY_MIN_MIB } from '../../../shared/settings/engine-settings.ts';
import { type Profile, profileSchema } from '../../../shared/settings/schema.ts';
import type { SandboxSpec, SandboxTerminal } from '../engine.ts';
import { checkIdentity } from '../process-identity.ts';
import { JOB } from '../testing/job.ts';
import { SandboxShell } from '../testing/sandbox-shell.ts';
import { waitUntil } from '../wait.ts';
import { MicrovmEngine } from './engine.ts';
import { GuestStore } from './guest/store.ts';
import { GuestLink } from './guest-link.ts';
import { BUILD_MS, guestDataDir, microvmObstacle } from './testing/test-guest.ts';

const obstacle = microvmObstacle();
const SIZE = { cols: 133, rows: 41 };
/** Milliseconds for a boot on a busy machine. */
const BOOT_MS = 120_000;
/** Milliseconds for an emulated guest to answer. */
const ANSWER_MS = 60_000;

const LIMITS = { memoryMiB: 160, cpuPercent: 100, processes: 40, homeMiB: 4, tmpMiB: 4 };

if (obstacle !== null) it.skip(`micro-VMs: not run: ${obstacle}`, () => {});
else describe('a micro-VM on QEMU', { timeout: 2 * BOOT_MS + ANSWER_MS }, () => tests());

function tests(): void {
  let engine: MicrovmEngine;
  let folder: string;
  const opened: SandboxTerminal[] = [];
  beforeAll(async () => {
    engine = new MicrovmEngine({ dataDir: await guestDataDir() });
    folder = mkdtempSync(join(tmpdir(), 'airlock-microvm-test-'));
  }, BUILD_MS);
  afterEach(() => Promise.all(opened.splice(0).map((terminal) => terminal.release())));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function open(
    rest: Partial<Profile>,
    more: Partial<SandboxSpec> = {},
    by = engine,
  ): Promise<SandboxShell> {
    const profile = profileSchema.parse({
      ...{ id: 'test', name: 'Test', engine: 'microvm', limits: LIMITS },
      microvm: { startupMs: BOOT_MS },
      ...rest,
    });
    const spec = { sessionId: 'test', profile, project: null, ...more };
    const terminal = await by.open(spec, SIZE, new AbortController().signal);
    opened.push(terminal);
    return new SandboxShell(terminal, ANSWER_MS);
  }

  it('is a terminal like any other: size, UTF-8, paste, Ctrl-C, BREAK, resize, flood, status', async () => {
    const shell = await open({ command: ['/bin/bash', '--norc', '-i'], environment: { PS1: 'ready$ ' } });
    const { terminal } = shell;
    await shell.shows('ready$ ');
    await shell.type('stty size; tty; id -u; echo é端😀\r');
    await shell.shows('41 133\r\n/dev/pts/0\r\n65534\r\né端😀\r\n');
    await terminal.resize({ cols: 101, rows: 37 });
    await shell.type('stty size\r');
    await shell.shows('37 101\r\n');
    await shell.type(`${JOB}\r`);
    await shell.shows('asleep\r\n');
    await shell.type('\x03');
    await shell.shows('ready$ ');
    await shell.type('echo code=$?\r');
    await shell.shows('code=130');
    await shell.shows('ready$ ');
    // Both directions full at once: a relay that waits for one to go on stands still here.
    await shell.type(
      'stty raw -echo; echo go""es; head -c 500000 | tee /tmp/x | cat | wc -c; cat /tmp/x | md5sum; stty sane -brkint -ignbrk\r',
    );
    await shell.shows('goes');
    await terminal.write(Buffer.from('0123456789abcdef\n'.repeat(30_000)).subarray(0, 500_000));
    await shell.shows('500000');
    await shell.shows('ready$ ');
    await shell.type('cat\r');
    await terminal.write(Buffer.from('echoed and said again\r'.repeat(200)));
    await shell.shows('echoed and said again\r\n'.repeat(2));
    expect(await terminal.sendBreak()).toContain('NUL byte');
    await shell.type('\x03');
    await shell.shows('ready$ ');
    await shell.type(`stty brkint; ${JOB}\r`);
    await shell.shows('asleep\r\n');
    expect(await terminal.sendBreak()).toContain('SIGINT');
    await shell.shows('ready$ ');
    await shell.type('while :; do echo flood; done\r');
    await shell.shows('flood\r\nflood');
    terminal.pause();
    await shell.type('\x03');
    terminal.resume();
    await shell.shows('ready$ ');
    await shell.type('exit 42\r');
    expect(await terminal.ended).toEqual({ kind: 'exited', code: 42 });
    expect(await terminal.release()).toMatchObject({ removed: true });
    expect(checkIdentity(terminal.identity as never)).toBe('gone');
  });

  it('says what bounds it as the guest has it, and its program can do nothing else', async () => {
    const shell = await open({
      command: [
        '/bin/sh',
        '-c',
        `grep -E 'Cap(Eff|Bnd)|NoNewPrivs' /proc/self/status; ls /sys/class/net; (echo x > /usr/x) 2>&1; ls /airlock 2>&1
         cat /proc/1/environ 2>&1; dmesg 2>&1 | tail -1; env; ulimit -u; head -c 9m /dev/zero > /tmp/big; wc -c < /tmp/big; setsid sh -c 'sleep 1000' & i=0; while [ $i -lt 60 ]; do sleep 99 & i=$((i+1)); done 2>/dev/null; kill -9 $$`,
      ],
      environment: { OWN: 'value' },
    });
    const { posture, ended } = shell.terminal;
    const outcome = await ended;
    expect(posture).toMatchObject({
      engine: expect.stringMatching(/^QEMU microvm, (KVM|emulated \(TCG\))$/),
      network: 'none',
      mounts: [],
      user: 'u (65534) of a machine of its own',
      limits: {
        memoryBytes: LIMITS.memoryMiB * 1024 * 1024,
        processes: LIMITS.processes,
        openFiles: 1024,
        cpuPercent: 100,
        homeBytes: LIMITS.homeMiB * 1024 * 1024,
        tmpBytes: LIMITS.tmpMiB * 1024 * 1024,
      },
    });
    const { text } = shell;
    expect(text).toMatch(/CapEff:\s+0{16}\r\nCapBnd:\s+0{16}\r\nNoNewPrivs:\s+1/);
    expect(text).toMatch(/\r\nlo\r\n/);
    expect(text).toContain('Read-only file system');
    expect(text.match(/Permission denied/g)?.length).toBeGreaterThanOrEqual(2);
    expect(text).toMatch(/dmesg.*not permitted/);
    expect(text).toContain('OWN=value');
    expect(text).not.toContain(process.env['PATH'] ?? '');
    expect(text).toContain(`\r\n${LIMITS.processes}\r\n`);
    expect(text).toContain(`\r\n${LIMITS.tmpMiB * 1024 * 1024}\r\n`);
    // A shell that can start nothing more may give up before it kills itself.
    expect([
      { kind: 'signalled', signal: 9, name: 'SIGKILL' },
      { kind: 'exited', code: 2 },
    ]).toContainEqual(outcome);
  });

  it('E14 F6 a worker gets its files and no echo, and its output arrives when the machine is gone', async () => {
    const staged = { input: join(folder, 'input'), output: join(folder, 'output') };
    writeFileSync(staged.input, 'input\n');
    writeFileSync(staged.output, '');
    chmodSync(staged.output, 0o666);
    const script = `PATH=/usr/bin; tr '\\0' '\\n' < /proc/$$/environ; read -r line; echo "got $line"; pwd; cat data/in.txt
      (echo x >> data/in.txt) 2>/dev/null || echo read-only; (echo x > other) 2>/dev/null || echo nowhere else
      trap '' XFSZ; i=0; while [ $i -lt 200 ]; do echo 0123456789 >> data/out.bin || break; i=$((i+1)); done 2>/dev/null
      (setsid sleep 1000 &); echo at the prompt; read -r line`;
    const worker = {
      files: [
        { source: staged.input, target: 'data/in.txt', access: 'read-only' },
        { source: staged.output, target: 'data/out.bin', access: 'read-write' },
      ],
      fileMaxBytes: 1_000,
    } as const;
    const shell = await open({ command: ['/bin/sh', '-c', script] }, { worker });
    await shell.type('typed\n');
    await shell.shows('at the prompt\r\n');
    expect(shell.text.trimEnd().split('\r\n')).toEqual([
      ...['TERM=dumb', 'got typed', '/work', 'input', 'read-only', 'nowhere else', 'at the prompt'],
    ]);
    expect(readFileSync(staged.output, 'utf8')).toBe('');
    expect(shell.terminal.posture.limits.fileBytes).toBe(1_000);
    const report = await shell.terminal.release();
    expect(report).toMatchObject({ removed: true });
    expect(checkIdentity(shell.terminal.identity as never)).toBe('gone');
    expect(readFileSync(staged.output, 'utf8')).toBe(`${'0123456789\n'.repeat(90)}0123456789`);
  });

  /** It has written `words` into its output, and goes on. */
  async function workerThatWrote(words: string) {
    const output = join(folder, `output-${words}`);
    writeFileSync(output, '');
    const worker = {
      files: [{ source: output, target: 'out', access: 'read-write' }],
      fileMaxBytes: 1_000,
    } as const;
    const shell = await open(
      { command: ['/bin/sh', '-c', `echo ${words} > out; echo written; read -r line`] },
      { worker },
    );
    await shell.shows('written');
    return { output, shell };
  }

  it('F6 a worker whose output cannot be fetched is not said to be removed in order', async () => {
    const { output, shell } = await workerThatWrote('x');
    process.kill((shell.terminal.identity as { pid: number }).pid, 'SIGKILL');
    expect(await shell.terminal.ended).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('SIGKILL'),
    });
    expect(await shell.terminal.release()).toMatchObject({
      removed: false,
      reason: expect.stringContaining('not with the output'),
    });
    expect(readFileSync(output, 'utf8')).toBe('');
  });

  it('F6 hands files over when it is asked to and not before, whatever else is asked meanwhile', async () => {
    const { output, shell } = await workerThatWrote('left');
    const { ask } = GuestLink.prototype;
    vi.spyOn(GuestLink.prototype, 'ask').mockImplementation(async function (
      this: GuestLink,
      line,
      verb,
      limit,
    ) {
      const answer = await ask.call(this, line, verb, limit);
      // A resize between the sizes of the files and the request for them.
      if (line === 'collect') await ask.call(this, 'size 90 30', 'sized', BOOT_MS);
      return answer as never;
    });
    expect(await shell.terminal.release().finally(() => vi.restoreAllMocks())).toMatchObject({
      removed: true,
    });
    expect(readFileSync(output, 'utf8')).toBe('left\n');
    expect(shell.text).toBe('written\r\n');
  });

  it('is removed after its lifetime, and how its program ended is not known', async () => {
    const shell = await open({
      command: ['/bin/sleep', '1000'],
      microvm: { ...microvm(), lifetimeMs: 10_000 },
    });
    expect(await shell.terminal.ended).toEqual({
      kind: 'unknown',
      reason: expect.stringContaining('after 10 s, as its profile says: Lifetime (microvm.lifetimeMs)'),
    });
    expect(await shell.terminal.release()).toMatchObject({ removed: true });
  });

  it('ST-26 dies with its host', async () => {
    const lone = join(import.meta.dirname, '../testing/conformance/lone-host.ts');
    const args = [lone, 'microvm', await guestDataDir(), 'echo started; sleep 1000'];
    const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(host.stdout, 'data')) as [Buffer];
    const identity = JSON.parse(line.toString()) as never;
    expect(checkIdentity(identity)).toBe('running');
    host.kill('SIGKILL');
    expect(await waitUntil(() => checkIdentity(identity) !== 'running', 20_000)).toBe(true);
    expect(await engine.recover(identity)).toEqual({ kind: 'absent' });
  });

  it('boots a kernel and an initial file system of a person’s own where no guest was built', async () => {
    const store = new GuestStore(await guestDataDir());
    const guest = await store.read();
    if (guest === null) throw new Error('There is no guest.');
    const { kernel, initramfs } = store.filesOf(guest);
    // Read-only, packed, and of a length that nothing may begin behind.
    const packed = gzipSync(readFileSync(initramfs), { level: 1 });
    const own = join(folder, 'own.gz');
    writeFileSync(own, Buffer.concat([packed, Buffer.alloc((5 - (packed.length % 4)) % 4)]), { mode: 0o444 });
    const chosen = { ...microvm(), kernel, initramfs: own };
    const shell = await open(
      { command: ['/bin/sh', '-c', 'echo up'], microvm: chosen },
      {},
      new MicrovmEngine({ dataDir: folder }),
    );
    expect(await shell.terminal.ended).toEqual({ kind: 'exited', code: 0 });
    expect(shell.text).toBe('up\r\n');
  });

  it('that has not started its program in time is ended, and so is one that nobody wants any more', async () => {
    await expect(open({ microvm: { ...microvm(), startupMs: 1_000 } })).rejects.toMatchObject({
      tag: 'open-timed-out',
      message: expect.stringContaining('microvm.startupMs'),
    });
    const abort = new AbortController();
    const profile = profileSchema.parse({ id: 'test', name: 'Test', engine: 'microvm', limits: LIMITS });
    const opening = engine.open({ sessionId: 'test', profile, project: null }, SIZE, abort.signal);
    abort.abort();
    await expect(opening).rejects.toMatchObject({
      tag: 'open-failed',
      message: expect.stringContaining('cancelled'),
    });
  });

  it('whose program is not there says so', async () => {
    await expect(open({ command: [`/usr/bin/${randomUUID()}`] })).rejects.toMatchObject({
      tag: 'open-failed',
      message: expect.stringContaining('No such file or directory'),
    });
  });
}

const microvm = () => ({
  monitor: 'qemu' as const,
  kernel: null,
  initramfs: null,
  startupMs: BOOT_MS,
  lifetimeMs: 28_800_000,
});

describe('what a micro-VM cannot give', () => {
  const engine = new MicrovmEngine({ dataDir: '/nonexistent' });
  const refusal = async (rest: Partial<Profile>, project: string | null = null) => {
    const profile = profileSchema.parse({ id: 'test', name: 'Test', engine: 'microvm', ...rest });
    const opening = engine.open({ sessionId: 'test', profile, project }, SIZE, new AbortController().signal);
    return opening.then(
      () => null,
      (error: { tag: string; message: string }) => `${error.tag}: ${error.message}`,
    );
  };

  it('is refused before anything starts, and the field is named', async () => {
    expect(await refusal({ network: 'host' })).toMatch(/^profile-invalid: Network must be none/);
    expect(await refusal({ scratch: '/srv' })).toMatch(
      /^profile-invalid: Scratch folder \(scratch\) must be empty/,
    );
    expect(await refusal({ project: '/srv' })).toMatch(
      /^profile-invalid: Project folder \(project\) must be empty/,
    );
    expect(await refusal({}, '/srv')).toMatch(/^profile-invalid: Project folder \(project\) must be empty/);
    const small = {
      ...profileSchema.parse({ id: 'x', name: 'x' }).limits,
      memoryMiB: MICROVM_MEMORY_MIN_MIB - 1,
    };
    expect(await refusal({ limits: small })).toMatch(
      /^profile-invalid: Memory \(limits\.memoryMiB\) must be at least 128/,
    );
  });

  it('without a guest says how one is built', async () => {
    expect(await refusal({})).toMatch(/^engine-unavailable: (.|\n)*(npm run airlock -- guest build|qemu)/);
  });
});
