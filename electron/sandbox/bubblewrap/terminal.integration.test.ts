import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FOLDER_TARGETS } from '../../../shared/terminal/inside.ts';
import { JOB } from '../testing/job.ts';
import { INTERACTIVE, profileOf, SandboxBench, script } from '../testing/sandbox-shell.ts';
import { waitUntil } from '../wait.ts';

let bench: SandboxBench;
beforeEach(() => {
  bench = new SandboxBench();
});
afterEach(() => bench.close());

const interactive = () =>
  bench.open(profileOf([...INTERACTIVE.command], { environment: INTERACTIVE.environment }));

describe('B29 a shell', () => {
  it('has job control: Ctrl-C, Ctrl-Z, bg, fg', async () => {
    const shell = await interactive();
    await shell.shows('ready$ ');
    await shell.type(`${JOB}\r`);
    await shell.shows('asleep');
    await shell.type('\x03');
    await shell.shows('ready$ ');
    await shell.type('echo code=$?\r');
    await shell.shows('code=130');
    await shell.shows('ready$ ');
    await shell.type(`${JOB}\r`);
    await shell.shows('asleep');
    await shell.type('\x1a');
    await shell.shows('Stopped');
    await shell.shows('ready$ ');
    await shell.type('bg\r');
    await shell.shows('continued');
    await shell.type('kill %1; wait; echo wai""ted\r');
    await shell.shows('waited');
    await shell.shows('ready$ ');
    await shell.type(`${JOB}\r`);
    await shell.shows('asleep');
    await shell.type('\x1a');
    await shell.shows('Stopped');
    await shell.shows('ready$ ');
    await shell.type('fg\r');
    await shell.shows('continued');
    await shell.type('\x03');
    await shell.shows('ready$ ');
    expect(shell.text).not.toContain('no job control');
    await shell.type('exit 7\r');
    expect(await shell.terminal.ended).toEqual({ kind: 'exited', code: 7 });
  });

  it('ST-9 is told of a new size', async () => {
    const shell = await interactive();
    await shell.shows('ready$ ');
    await shell.type("trap 'echo size $(stty size)' WINCH; echo trap''ped\r");
    await shell.shows('trapped');
    await shell.shows('ready$ ');
    await shell.terminal.resize({ cols: 101, rows: 37 });
    await shell.shows('size 37 101');
  });

  it('B04 (a) ends a storm of sizes with the last one', async () => {
    const shell = await bench.open(profileOf(script('while :; do stty size; done')));
    for (let step = 0; step < 200; step++) {
      await shell.terminal.resize({ cols: 40 + ((step * 7) % 161), rows: 10 + (step % 51) });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await shell.terminal.resize({ cols: 101, rows: 37 });
    await shell.shows('37 101\r\n37 101\r\n');
    // Output from before may still have been on its way; after two right answers no old size may follow.
    const seen = shell.text.lastIndexOf('37 101\r\n37 101\r\n');
    expect(shell.text.slice(seen).replaceAll('37 101\r\n', '')).toMatch(/^3?7? ?1?0?1?\r?$/);
  });

  it('B04 (b) (c) refuses impossible sizes, and ignores any after the end', async () => {
    const { terminal } = await bench.open(profileOf(['/bin/true']));
    await expect(terminal.resize({ cols: 0, rows: 24 })).rejects.toThrow(RangeError);
    await terminal.ended;
    await expect(terminal.resize({ cols: 90, rows: 30 })).resolves.toBeUndefined();
  });

  it('ends its program, not the sandbox, on Ctrl-C: a program that catches it goes on', async () => {
    const shell = await bench.open(
      profileOf(script("trap 'echo caught' INT; echo ready; while :; do read line; echo got $line; done")),
    );
    await shell.shows('ready');
    await shell.type('\x03');
    await shell.shows('caught');
    await shell.type('more\r');
    await shell.shows('got more');
  });

  it('cannot type into its own terminal', async () => {
    const attack = `
      for my $request (0x5412, 0x541C) {
        for my $byte (split //, "echo PW''NED\\n") { $result = ioctl(STDIN, $request, $byte) ? "worked" : "$!"; }
        printf "%x %s\\n", $request, $result;
      }`;
    const shell = await interactive();
    await shell.shows('ready$ ');
    await shell.type(`perl -e '${attack.replaceAll('\n', ' ').replaceAll("'", `'\\''`)}'\r`);
    await shell.shows('5412 Operation not permitted');
    await shell.shows('541c Operation not permitted');
    await shell.shows('ready$ ');
    await shell.type('echo do""ne\r');
    await shell.shows('done');
    expect(shell.text).not.toContain('PWNED');
  });

  it('cannot reach the key rings, and can still be debugged', async () => {
    const numbers = process.arch === 'arm64' ? { keyctl: 219, ptrace: 117 } : { keyctl: 250, ptrace: 101 };
    const { text } = await bench.run(
      profileOf([
        '/usr/bin/perl',
        '-e',
        `print syscall(${numbers.keyctl}, 0, -3, 0) < 0 ? "$!\\n" : "worked\\n"; print syscall(${numbers.ptrace}, 0, 0, 0, 0), "\\n";`,
      ]),
    );
    expect(text).toBe('Operation not permitted\r\n0\r\n');
  });

  it('has no sockets beside its network namespace, and its pid 1 cannot be made to outlive the host', async () => {
    const { socket, prctl } =
      process.arch === 'arm64' ? { socket: 198, prctl: 167 } : { socket: 41, prctl: 157 };
    const [vsock, ring, deathSignal] = [`${socket}, 40, 1, 0`, '425, 1, 0', `${prctl}, 1, 0`];
    const calls = [vsock, ring, deathSignal].map(
      (call) => `print syscall(${call}) < 0 ? "$!\\n" : "worked\\n";`,
    );
    const { text } = await bench.run(
      profileOf(['/usr/bin/perl', '-e', `${calls.join(' ')} system "grep ^Seccomp: /proc/1/status"`]),
    );
    expect(text.split('\r\n')).toEqual([
      'Address family not supported by protocol',
      'Function not implemented',
      'Operation not permitted',
      'Seccomp:\t2',
      '',
    ]);
  });
});

describe('B12 a paste of 200 KB', () => {
  const text = Array.from({ length: 2000 }, (_, i) => `${i} é😀 ${'x'.repeat(85)}\n`).join('');

  it.each(['raw -echo', 'echo'])(
    'arrives whole at a busy reader in the mode "%s", and what is typed at once comes last',
    async (mode) => {
      const all = `${text}X\n`;
      const shell = await bench.open(
        profileOf(
          script(
            `stty ${mode}; echo ready; sleep 1; head -c ${Buffer.byteLength(all)} >${FOLDER_TARGETS.scratch}/got`,
          ),
          {
            scratch: bench.folder,
          },
        ),
      );
      await shell.shows('ready');
      const start = performance.now();
      await Promise.all([shell.type(text), shell.type('X\n'), shell.terminal.ended]);
      expect(performance.now() - start, 'and not for ever').toBeLessThan(30_000);
      const got = readFileSync(join(bench.folder, 'got'));
      expect(createHash('sha256').update(got).digest('hex')).toBe(
        createHash('sha256').update(all).digest('hex'),
      );
    },
  );
});

describe('ST-10 BREAK', () => {
  it.each([
    ['ignbrk', 'ignored', 'trap "echo interrupted" INT', 'ok'],
    ['-ignbrk brkint', 'SIGINT', 'trap "echo interrupted" INT', 'interrupted'],
    ['-ignbrk -brkint', 'NUL', ':', 'ok^@'],
  ])('with %s is %s', async (modes, words, trap, shown) => {
    const shell = await bench.open(
      profileOf(script(`stty ${modes} -echo; ${trap}; echo ready; head -c 6 | cat -v; read; echo end`)),
    );
    await shell.shows('ready');
    if (shown === 'interrupted') {
      expect(await shell.terminal.sendBreak()).toContain(words);
      await shell.shows('interrupted');
      return;
    }
    await shell.type('ok');
    expect(await shell.terminal.sendBreak()).toContain(words);
    await shell.type('\rabcd\r');
    await shell.shows(shown);
  });

  it('interrupts the job in the foreground, not the shell', async () => {
    const shell = await interactive();
    await shell.shows('ready$ ');
    await shell.type(`stty brkint; ${JOB}\r`);
    await shell.shows('asleep');
    expect(await shell.terminal.sendBreak()).toContain('SIGINT');
    await shell.shows('ready$ ');
    await shell.type('echo code=$?\r');
    await shell.shows('code=130');
  });

  it('interrupts a job whose first process has ended', async () => {
    const shell = await interactive();
    await shell.shows('ready$ ');
    const alone = 'set -- $(</proc/self/stat); while [ -e /proc/$5 ]; do :; done';
    await shell.type(`stty brkint; true | { ${alone}; echo al\\one; sleep 1000; }\r`);
    await shell.shows('alone');
    expect(await shell.terminal.sendBreak()).toContain('SIGINT');
    await shell.type('echo code=$?\r');
    await shell.shows('code=130');
  });

  it('after the end says that there is nothing to break', async () => {
    const { terminal } = await bench.open(profileOf(['/bin/true']));
    await terminal.ended;
    expect(await terminal.sendBreak()).toContain('was not sent');
  });
});

describe('ST-18 B31 a terminal that is paused', () => {
  it('holds its program back, and loses nothing', async () => {
    const shell = await bench.open(profileOf(script('for ((i = 0; i < 60000; i++)); do echo line $i; done')));
    await shell.shows('line');
    shell.terminal.pause();
    const held = shell.bytes.length;
    expect(await waitUntil(() => shell.bytes.length > held, 500)).toBe(false);
    shell.terminal.resume();
    expect(await shell.terminal.ended).toEqual({ kind: 'exited', code: 0 });
    expect(shell.text).toBe(Array.from({ length: 60_000 }, (_, i) => `line ${i}\r\n`).join(''));
  });

  it('ends when its program does, and gives its last output', async () => {
    const shell = await bench.open(profileOf(script('echo ready; read; printf "%03000d" 7; exit 9')));
    await shell.shows('ready');
    shell.terminal.pause();
    await shell.type('\r');
    expect(await shell.terminal.ended).toEqual({ kind: 'exited', code: 9 });
    expect(shell.text.endsWith(`${'7'.padStart(3000, '0')}`)).toBe(true);
  });
});
