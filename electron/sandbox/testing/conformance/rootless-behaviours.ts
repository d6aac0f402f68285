import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { profileSchema, sandboxLimitsSchema } from '../../../../shared/settings/schema.ts';
import { FOLDER_TARGETS, OUT_FOLDER, USER } from '../../../../shared/terminal/inside.ts';
import { makeDataFolders } from '../../../publication/data-folders.ts';
import { listOutFiles } from '../../../publication/out-files.ts';
import { sealShellFile } from '../../../publication/seal.ts';
import { PERSON } from '../../docker/testing/rootless-daemon.ts';
import type { DaemonKind } from '../../docker/testing/test-daemon.ts';
import type { OutFolder, SandboxTerminal } from '../../engine.ts';
import { SandboxShell } from '../sandbox-shell.ts';
import type { Behaviour } from './behaviours.ts';
import { type ConformanceBench, SIZE } from './conformance-bench.ts';

/** Who the program is, inside and on this machine. */
const PROGRAM = {
  Podman: { inside: PERSON.uid, onHost: PERSON.uid, words: `${PERSON.uid}, by Podman without root` },
  Docker: {
    inside: USER.id,
    // Users from 1 on are the person's subordinates, which begin at 524288.
    onHost: 524_287 + USER.id,
    words: `${USER.id}, in a user namespace of Docker`,
  },
} as const;

/** What a daemon without root maps and bounds, beside what every engine must do. They run as the person, in their home folder. */
export function rootlessBehaviours(kind: DaemonKind): readonly Behaviour[] {
  const program = PROGRAM[kind];
  return [
    {
      name: 'says that the daemon runs without root, and what it bounds',
      check: async ({ subject }) => {
        const profile = profileSchema.parse({
          id: 'p',
          name: 'P',
          engine: 'container',
          command: ['/bin/sh'],
          ...subject.profile,
        });
        const { usable, notes } = await subject.engine.probe(profile);
        expect(usable).toBe(true);
        expect(notes[0]).toBe(`${kind} runs without root: its containers are yours, not the machine’s.`);
        expect(notes[1]).toContain(kind === 'Docker' ? 'It does not bound memory' : 'read back inside');
      },
    },
    {
      name: 'the program is the user that its posture says, and no user namespace makes it root',
      check: async (bench) => {
        const shell = await bench.script(
          'id -u; id -g; grep -E "^Cap(Eff|Bnd)|^NoNewPrivs" /proc/self/status',
        );
        await shell.terminal.ended;
        const { inside, words } = program;
        expect(shell.text.split('\r\n').slice(0, 3)).toEqual([
          `${inside}`,
          `${inside}`,
          'CapEff:\t0000000000000000',
        ]);
        expect(shell.text).toContain('NoNewPrivs:\t1');
        expect(shell.terminal.posture.user).toBe(words);
      },
    },
    {
      name: 'a closed folder of the person is shared where the program is the person, and refused in words where it is not',
      check: async (bench) => {
        const [project, scratch] = [folderOf('closed-project', 0o700), folderOf('closed-scratch', 0o700)];
        writeFileSync(join(project, 'read.txt'), 'of the person\n', { mode: 0o600 });
        const opening = bench.script(FOLDER_SCRIPT, { project, scratch });
        if (kind === 'Docker') {
          const why = `The project folder ${project} cannot be read by every user: the daemon maps users to others.`;
          await expect(opening).rejects.toMatchObject({ tag: 'profile-invalid' });
          await expect(opening).rejects.toThrow(`${why}\nTo allow it: chmod o+rX '${project}'`);
        } else await expectShared(await opening, project, scratch, program.onHost);
      },
    },
    {
      name: 'a folder open to everybody is shared as its posture says',
      check: async (bench) => {
        const [project, scratch] = [folderOf('project', 0o755), folderOf('scratch', 0o777)];
        writeFileSync(join(project, 'read.txt'), 'of the person\n');
        await expectShared(
          await bench.script(FOLDER_SCRIPT, { project, scratch }),
          project,
          scratch,
          program.onHost,
        );
      },
    },
    {
      name: 'F7 what is left in /out can be published by the person, and goes with the session',
      check: async (bench) => {
        const shell = await bench.script(`echo result > ${OUT_FOLDER}/r`);
        await shell.terminal.ended;
        const out = outOf(shell.terminal);
        expect(statSync(join(out.path, 'r'))).toMatchObject({ uid: program.onHost, nlink: 1 });
        const folders = await makeDataFolders(join(homedir(), 'publication'));
        const facts = await sealShellFile(folders, 'rootless', out, 'r', 1_000);
        expect(facts.bytes).toBe('result\n'.length);
        expect(readFileSync(join(folders.sealed, 'rootless'), 'utf8')).toBe('result\n');
        expect(await shell.terminal.release()).toMatchObject({ removed: true });
        expect(await bench.subject.leftovers()).toEqual([]);
      },
    },
    {
      name: 'F7 a closed file in /out can be published where the program is the person; elsewhere it is said what to do',
      check: async (bench) => {
        const shell = await bench.script(`umask 077; echo result > ${OUT_FOLDER}/r`);
        await shell.terminal.ended;
        const out = outOf(shell.terminal);
        const folders = await makeDataFolders(join(homedir(), 'publication'));
        const sealing = sealShellFile(folders, 'closed', out, 'r', 1_000);
        const [listed] = (await listOutFiles(out)).files;
        if (kind === 'Docker') {
          await expect(sealing).rejects.toThrow('in the shell: chmod a+r');
          expect(listed?.refused).toContain('In the shell: chmod a+r');
        } else {
          expect((await sealing).bytes).toBe('result\n'.length);
          expect(listed?.refused).toBeNull();
        }
        expect(await shell.terminal.release()).toMatchObject({ removed: true });
      },
    },
    {
      name: 'bounds open files and processes of what it starts too, where it says so',
      check: async (bench) => {
        const limits = sandboxLimitsSchema.parse({
          openFiles: 99,
          processes: 40,
          memoryMiB: 64,
          cpuPercent: 50,
        });
        const shell = await bench.script(
          `sh -c 'ulimit -n; ulimit -c; (ulimit -n 100) 2>/dev/null || echo no more'`,
          { limits },
        );
        await shell.terminal.ended;
        expect(shell.text).toBe('99\r\n0\r\nno more\r\n');
        expect(shell.terminal.posture.limits).toMatchObject({
          ...{ openFiles: 99, processes: kind === 'Docker' ? null : 40 },
          ...{ memoryBytes: null, cpuPercent: null, enforcedBy: 'prlimit only' },
        });
      },
    },
    {
      name: 'F6 E14 runs a worker: its files, and a bound for what it writes',
      check: (bench) => checkWorker(bench, kind),
    },
    {
      name: 'closed folders in /out go with the session, and what the person may not remove is said, with how to',
      check: async (bench) => {
        const shell = await bench.script(
          `mkdir -p ${OUT_FOLDER}/a/b; echo x > ${OUT_FOLDER}/a/b/c; chmod 0 ${OUT_FOLDER}/a/b ${OUT_FOLDER}/a`,
        );
        await shell.terminal.ended;
        const { path } = outOf(shell.terminal);
        const report = await shell.terminal.release();
        if (kind === 'Podman') {
          expect(report).toMatchObject({ removed: true });
          return expect(await bench.subject.leftovers()).toEqual([]);
        }
        // The person's own way into the namespace needs their subordinates, which this machine does not know.
        expect(report).toMatchObject({ removed: false });
        expect(report.reason).toContain(`To remove it: rootlesskit rm -rf '${path}'`);
        expect(await bench.subject.engine.recover(shell.terminal.identity)).toEqual({
          kind: 'mismatch',
          reason: report.reason,
        });
      },
    },
  ];
}

const FOLDER_SCRIPT = `pwd; cat read.txt; touch new 2>/dev/null || echo read-only; echo kept > ${FOLDER_TARGETS.scratch}/x && echo written`;

function folderOf(name: string, mode: number): string {
  const path = join(homedir(), name);
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

async function expectShared(
  shell: SandboxShell,
  project: string,
  scratch: string,
  owner: number,
): Promise<void> {
  const { terminal } = shell;
  await terminal.ended;
  expect(shell.text).toBe(`${FOLDER_TARGETS.project}\r\nof the person\r\nread-only\r\nwritten\r\n`);
  expect(readFileSync(join(scratch, 'x'), 'utf8')).toBe('kept\n');
  expect(statSync(join(scratch, 'x')).uid).toBe(owner);
  expect(terminal.posture.mounts).toEqual([
    { source: project, target: FOLDER_TARGETS.project, access: 'read-only' },
    { source: scratch, target: FOLDER_TARGETS.scratch, access: 'read-write' },
  ]);
}

function outOf({ outFolder }: SandboxTerminal): OutFolder {
  if (outFolder === null) throw new Error('It has no /out.');
  return outFolder;
}

async function checkWorker({ subject }: ConformanceBench, kind: DaemonKind): Promise<void> {
  const staged = folderOf('staged', 0o700);
  const [input, output] = [join(staged, 'input'), join(staged, 'output')];
  writeFileSync(input, 'input\n');
  chmodSync(input, 0o444);
  writeFileSync(output, '');
  chmodSync(output, 0o666);
  const worker = {
    files: [
      { source: input, target: 'in.txt', access: 'read-only' },
      { source: output, target: 'out.txt', access: 'read-write' },
    ],
    fileMaxBytes: 1_000,
  } as const;
  const script = `tr '\\0' '\\n' < /proc/$$/environ; cat in.txt; (echo x >> in.txt) 2>/dev/null || echo read-only; trap '' XFSZ; head -c 5000 /dev/zero > out.txt 2>/dev/null; true`;
  const profile = profileSchema.parse({
    ...{ id: 'worker', name: 'Worker', engine: 'container' },
    ...subject.profile,
    command: ['/bin/sh', '-c', script],
  });
  const spec = { sessionId: `rootless-worker-${process.pid}`, profile, project: null, worker };
  const terminal = await subject.engine.open(spec, SIZE, AbortSignal.timeout(30_000));
  const shell = new SandboxShell(terminal);
  await terminal.ended;
  expect(shell.text).toBe('TERM=dumb\r\ninput\r\nread-only\r\n');
  // Shells count in blocks of 512 bytes.
  const bound = kind === 'Docker' ? 1_000 : 1_024;
  expect(statSync(output).size).toBe(bound);
  expect(terminal.posture.limits.fileBytes).toBe(bound);
  expect(terminal.outFolder).toBeNull();
  expect(await terminal.release()).toMatchObject({ removed: true });
}
