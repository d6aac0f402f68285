import { mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../engine.ts';
import { readCommandLine } from '../process-identity.ts';
import { processesWith, profileOf, SandboxBench, script } from '../testing/sandbox-shell.ts';
import { resolveFolders } from '../validate.ts';
import { waitUntil } from '../wait.ts';
import { openSandbox } from './open.ts';
import { seccompFilter } from './seccomp.ts';

let bench: SandboxBench;
beforeEach(() => {
  bench = new SandboxBench();
});
afterEach(() => bench.close());

const refusal = (opening: Promise<unknown>): Promise<EngineError> =>
  opening.then(
    () => Promise.reject(new Error('It was opened.')),
    (error) => (error instanceof EngineError ? error : Promise.reject(error)),
  );

describe('opening', () => {
  it('ST-5 B05 the first stty size is right, in 50 starts', async () => {
    for (let run = 0; run < 50; run++) {
      const { text, outcome, shell } = await bench.run(profileOf(['/usr/bin/stty', 'size']), {
        cols: 133,
        rows: 41,
      });
      expect({ text, outcome }).toEqual({ text: '41 133\r\n', outcome: { kind: 'exited', code: 0 } });
      await shell.terminal.release();
    }
  });

  it('ST-6 resolves with the exact identity of bwrap', async () => {
    const { terminal } = await bench.open(profileOf(['/bin/cat']));
    if (terminal.identity.kind !== 'process') throw new Error('Not a process.');
    expect(readCommandLine(terminal.identity.pid)).toMatch(/\/bwrap\0/);
    expect(readFileSync(`/proc/${terminal.identity.pid}/stat`, 'utf8')).toContain(
      ` ${terminal.identity.startTime} `,
    );
  });

  it.each([
    [
      ['/nonexistent/program'],
      '"/nonexistent/program" could not be started in the sandbox: No such file or directory.',
    ],
    [
      ['no-such-program'],
      '"no-such-program" could not be started in the sandbox: No such file or directory.',
    ],
    [['/etc'], '"/etc" could not be started in the sandbox: Permission denied.'],
    [['/etc/passwd'], '"/etc/passwd" could not be started in the sandbox: Permission denied.'],
  ])('of %j fails, and names the program', async (command, message) => {
    const error = await refusal(bench.open(profileOf(command)));
    expect(error).toMatchObject({ tag: 'open-failed', message });
  });

  it('is a success when the program itself ends with 127', async () => {
    const { text, outcome } = await bench.run(profileOf(script('nosuch; exit $?')));
    expect(outcome).toEqual({ kind: 'exited', code: 127 });
    expect(text).toContain('nosuch: command not found');
  });

  it('that bwrap cannot set up fails with its words, and leaves nothing', async () => {
    const marker = `failed-${process.pid}`;
    const filter = seccompFilter(process.arch) ?? new Uint8Array();
    const spec = { sessionId: 'test', profile: profileOf(['/bin/sleep', marker]), project: null };
    const folders = {
      project: { path: '/nonexistent-folder', device: 0n, inode: 0n },
      scratch: null,
      files: null,
    };
    const request = {
      spec,
      folders,
      size: { cols: 80, rows: 24 },
      filter,
      bwrap: '/usr/bin/bwrap',
      version: '0.8.0',
    };
    const error = await refusal(openSandbox(request, new AbortController().signal));
    expect(error.tag).toBe('open-failed');
    expect(error.message).toContain('The sandbox could not be set up: bwrap: ');
    expect(error.message).toContain('/nonexistent-folder');
    expect(processesWith(marker)).toEqual([]);
    expect(ownGroups()).toEqual([]);
  });

  it.each(['project', 'scratch'] as const)(
    'of a %s folder that became a link after it was checked fails, although the link leads to what is mounted',
    async (role) => {
      const path = join(bench.folder, role);
      mkdirSync(path);
      const spec = { sessionId: 'test', profile: profileOf(['/bin/cat'], { [role]: path }), project: null };
      const folders = resolveFolders(spec, []);
      rmdirSync(path);
      symlinkSync('/', path);
      const request = {
        spec,
        folders,
        size: { cols: 80, rows: 24 },
        filter: seccompFilter(process.arch) ?? new Uint8Array(),
        bwrap: '/usr/bin/bwrap',
        version: '0.8.0',
      };
      const error = await refusal(openSandbox(request, new AbortController().signal));
      expect(error.message).toContain('replaced while the sandbox was being set up');
    },
  );

  it('B17 of a profile with a NUL is refused before anything starts', async () => {
    const error = await refusal(bench.open({ ...profileOf(['/bin/echo']), command: ['/bin/echo', 'a\0b'] }));
    expect(error.tag).toBe('profile-invalid');
  });

  it('ST-6 that is cancelled, early or late, leaves nothing', async () => {
    for (let run = 0; run < 12; run++) {
      const marker = `cancelled-${process.pid}-${run}`;
      const cancel = new AbortController();
      const spec = {
        sessionId: 'test',
        profile: profileOf(script(`: ${marker}; sleep 1000`)),
        project: null,
      };
      const opening = bench.engine.open(spec, { cols: 80, rows: 24 }, cancel.signal);
      const settled = opening.then(
        (terminal) => terminal.release(),
        (error: EngineError) => expect(error.tag).toBe('open-failed'),
      );
      await delay(run * 4);
      cancel.abort();
      await settled;
      expect(processesWith(marker)).toEqual([]);
    }
    expect(ownGroups()).toEqual([]);
  });

  it('that is cancelled with an EngineError rejects with that one', async () => {
    const late = new EngineError('open-timed-out', 'Too late.');
    const spec = { sessionId: 'test', profile: profileOf(['/bin/cat']), project: null };
    const opening = bench.engine.open(spec, { cols: 80, rows: 24 }, AbortSignal.abort(late));
    expect(await refusal(opening)).toBe(late);
  });

  it('does not show the environment or the folders to other users of the machine', async () => {
    const secret = `secret-${process.pid}`;
    const shell = await bench.open(
      profileOf(['/bin/cat'], { environment: { TOKEN: secret }, scratch: bench.folder }),
    );
    expect(shell.terminal.posture.mounts).toHaveLength(1);
    expect(processesWith(secret)).toEqual([]);
    expect(processesWith(bench.folder)).toEqual([]);
  });
});

describe('ST-22 the outcome', () => {
  it.each([0, 7, 42, 137, 255])('of exit %i is that code', async (code) => {
    const { outcome } = await bench.run(profileOf(script(`exit ${code}`)));
    expect(outcome).toEqual({ kind: 'exited', code });
  });

  it('of a program that a signal ended is 128 and the signal', async () => {
    const { outcome } = await bench.run(profileOf(script('kill -9 $$')));
    expect(outcome).toEqual({ kind: 'exited', code: 137 });
  });

  it('of a sandbox that was killed from outside is the signal', async () => {
    const { terminal } = await bench.open(profileOf(['/bin/cat']));
    if (terminal.identity.kind === 'process') process.kill(terminal.identity.pid, 'SIGKILL');
    expect(await terminal.ended).toEqual({ kind: 'signalled', signal: 9, name: 'SIGKILL' });
  });
});

it('probing opens a real sandbox and says that the engine is ready', async () => {
  const status = await bench.engine.probe();
  expect(status).toMatchObject({ kind: 'bubblewrap', usable: true, fixes: [] });
  expect(status.summary).toMatch(/^bubblewrap \d+\.\d+\.\d+ is ready\.$/);
  expect(status.notes).toHaveLength(1);
  expect(ownGroups()).toEqual([]);
});

it.each([
  ['a folder', { scratch: '/' }],
  ['a folder that is gone', { project: '/nowhere/at/all' }],
  ['an argument', { command: ['/bin/echo', '\x1b[2K'] }],
])('the check of a profile refuses %s that an opening refuses, in the same words', async (_, part) => {
  const profile = profileOf(['/bin/true'], part);
  const { tag, message } = await refusal(bench.open(profile));
  expect(tag).toBe('profile-invalid');
  const { usable, summary } = await bench.engine.probe(profile);
  expect({ usable, summary }).toEqual({ usable: false, summary: message });
  expect(await bench.engine.probe(profileOf(['/bin/true']))).toMatchObject({ usable: true });
});

it('holds no descriptor of a session that was released', async () => {
  const run = async () => (await bench.run(profileOf(['/bin/true']))).shell.terminal.release();
  await run();
  const before = readdirSync('/proc/self/fd').length;
  for (let n = 0; n < 5; n++) await run();
  expect(await waitUntil(() => readdirSync('/proc/self/fd').length <= before, 20_000)).toBe(true);
});

/** Control groups of this process that are left somewhere in the machine's first levels. */
function ownGroups(): string[] {
  const find = (folder: string, depth: number): string[] =>
    entriesOf(folder).flatMap((entry) => {
      if (!entry.isDirectory()) return [];
      if (entry.name.startsWith(`airlock-${process.pid}-`)) return [`${folder}/${entry.name}`];
      return depth > 0 ? find(`${folder}/${entry.name}`, depth - 1) : [];
    });
  return find('/sys/fs/cgroup', 3);
}

/** Of a folder that somebody else may just have removed. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
