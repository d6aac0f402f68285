import { statSync } from 'node:fs';
import type { Profile } from '../../../shared/settings/schema.ts';
import { FOLDER_TARGETS } from '../../../shared/terminal/inside.ts';
import type { Folders, SharedFolder } from '../host-folders.ts';
import {
  childrenOf,
  identify,
  isGone,
  isNamespaceInit,
  type ProcessIdentity,
  readCommandLine,
  readProcess,
} from '../process-identity.ts';
import type { PtyProcess } from '../pty/pty-process.ts';
import { waitFor } from '../wait.ts';
import { DESCRIPTORS } from './launcher.ts';

/** Characters of a program's own message that an error repeats. */
const MESSAGE_MAX_CHARS = 400;

/** Gives the program the PTY as its controlling terminal, and becomes it. */
const TERMINAL_SHIM = ['/usr/bin/setsid', '--ctty', '--'];

/**
 * Before that for a worker: it takes everything else out of the environment, the shim's own PATH too (E14). A program named
 * without a path is then looked for where the C library does without a PATH: in /bin and /usr/bin.
 */
const WORKER_ENVIRONMENT_SHIM = ['/usr/bin/env', '-i', 'TERM=dumb'];

/**
 * The first thing that runs in the sandbox. It waits for the host's order (`startOrder`), so nothing of the profile runs
 * before the host knows everything about the sandbox; and when the host dies instead, it reads the end of the pipe,
 * ends, and the sandbox with it. That matters because bwrap binds its processes to its parent only after it has started
 * them (bwrap's own `--block-fd` takes the end of the pipe for a "go"). The pid stays that of the program.
 */
export function shimmed(command: readonly string[]): string[] {
  const wait = `order=$(cat <&${DESCRIPTORS.go}) && exec ${DESCRIPTORS.go}<&- && eval "$order"`;
  return ['/bin/sh', '-c', wait, 'airlock-shim', ...TERMINAL_SHIM, ...command];
}

/**
 * What makes the shim become the program, in the profile's environment. That comes only now, because it can hold
 * LD_PRELOAD: the shim itself would run the profile's code before its limits are in force. It must not stand in an argument
 * vector, which every user of the machine can read. In braces, an order that comes in part does nothing.
 */
export function startOrder(environment: Profile['environment']): string {
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  return `{\n${exports.join('')}exec "$@"\n}\n`;
}

/** The same for a worker, which gets no environment but its own one variable. */
export function workerStartOrder(): string {
  return `{\nexec ${WORKER_ENVIRONMENT_SHIM.join(' ')} "$@"\n}\n`;
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

/** bwrap's child, the sandbox's pid 1. Null when bwrap ended without one. */
export async function findInit(leader: ProcessIdentity): Promise<ProcessIdentity | null> {
  // systemd-run, which bwrap may have been before, can have a helper for passwords as its child.
  return waitFor(
    () => child(leader.pid, isNamespaceInit),
    () => isGone(leader),
  );
}

/**
 * The waiting shim, which will be the program. By then the mounts are done, and pid 1 waits for its children: only in
 * that state is it certain to die with bwrap. Null when the sandbox ended before.
 */
export async function findShim(
  init: ProcessIdentity,
  command: readonly string[],
): Promise<ProcessIdentity | null> {
  const expected = asCommandLine(shimmed(command));
  return waitFor(
    () => {
      if (readProcess(init.pid)?.state !== 'S') return null;
      return child(init.pid, (pid) => readCommandLine(pid) === expected);
    },
    () => isGone(init),
  );
}

/**
 * Whether what is mounted in the sandbox is what was checked. Between the check and the mount, another sandbox that
 * may write to a parent of the folder could have put a link in its place.
 */
export function foldersAreMounted(pid: number, { project, scratch, files }: Folders): boolean {
  const isMounted = (shared: SharedFolder | null, target: string) =>
    shared === null || isSame(`/proc/${pid}/root${target}`, shared);
  return (
    isMounted(project, FOLDER_TARGETS.project) &&
    isMounted(scratch, FOLDER_TARGETS.scratch) &&
    (files ?? []).every((file) => isMounted(file, file.target))
  );
}

/** Resolves when the shim has become the program, or has ended as either. */
export async function waitForProgram(shim: ProcessIdentity, command: readonly string[]): Promise<void> {
  const onTerminal = [...TERMINAL_SHIM, ...command];
  const shims = [shimmed(command), [...WORKER_ENVIRONMENT_SHIM, ...onTerminal], onTerminal];
  const before = [...shims.map(asCommandLine), '', null];
  await waitFor(
    () => (before.includes(readCommandLine(shim.pid)) ? null : true),
    () => isGone(shim),
  );
}

/**
 * What the shim says when it cannot execute the program: exit code 126 or 127, and its own name before the reason.
 * Null when the words are the program's.
 */
export function shimFailure(exitCode: number | null, words: string): string | null {
  if (exitCode !== 126 && exitCode !== 127) return null;
  return /^setsid: .*: (.+)$/.exec(words)?.[1] ?? null;
}

/** What a process that nobody listened to has said, fit for an error message: one bounded line without controls. */
export async function lastWords(process: PtyProcess): Promise<string> {
  await process.ended;
  const output = Buffer.concat(process.unheard).toString('utf8');
  return output
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MESSAGE_MAX_CHARS);
}

function child(parent: number, is: (pid: number) => boolean): ProcessIdentity | null {
  const pid = childrenOf(parent).find(is);
  return pid === undefined ? null : identify(pid);
}

function asCommandLine(command: readonly string[]): string {
  return command.map((part) => `${part}\0`).join('');
}

function isSame(path: string, { device, inode }: SharedFolder): boolean {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return dev === device && ino === inode;
  } catch {
    return false;
  }
}
