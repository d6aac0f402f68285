import { statSync } from 'node:fs';
import {
  checkIdentity,
  childrenOf,
  identify,
  isNamespaceInit,
  type ProcessIdentity,
  readCommandLine,
  readProcess,
} from '../process-identity.ts';
import type { PtyProcess } from '../pty/pty-process.ts';
import { waitFor } from '../wait.ts';
import { type Folders, folderMounts } from './arguments.ts';
import { DESCRIPTORS } from './launcher.ts';

/** Characters of a program's own message that an error repeats. */
const MESSAGE_MAX_CHARS = 400;

/** Gives the program the PTY as its controlling terminal, and becomes it. */
const TERMINAL_SHIM = ['/usr/bin/setsid', '--ctty', '--'];

/**
 * The first thing that runs in the sandbox. It waits until the host says "go", so nothing of the profile runs before
 * the host knows everything about the sandbox; and when the host dies instead, it reads the end of the pipe, ends,
 * and the sandbox with it. That matters because bwrap binds its processes to its parent only after it has started
 * them (bwrap's own `--block-fd` takes the end of the pipe for a "go"). The pid stays that of the program.
 */
export function shimmed(command: readonly string[]): string[] {
  const wait = `read -r go <&${DESCRIPTORS.go} && exec ${DESCRIPTORS.go}<&- && exec "$@"`;
  return ['/bin/sh', '-c', wait, 'airlock-shim', ...TERMINAL_SHIM, ...command];
}

/** bwrap's child, the sandbox's pid 1. Null when bwrap ended without one. */
export async function findInit(leader: ProcessIdentity): Promise<ProcessIdentity | null> {
  // systemd-run, which bwrap may have been before, can have a helper for passwords as its child.
  return waitFor(() => child(leader.pid, isNamespaceInit), isGone(leader));
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
  return waitFor(() => {
    if (readProcess(init.pid)?.state !== 'S') return null;
    return child(init.pid, (pid) => readCommandLine(pid) === expected);
  }, isGone(init));
}

/**
 * Whether what is mounted in the sandbox is what was checked. Between the check and the mount, another sandbox that
 * may write to a parent of the folder could have put a link in its place.
 */
export function foldersAreMounted(pid: number, folders: Folders): boolean {
  return folderMounts(folders).every(({ source, target }) => sameFile(source, `/proc/${pid}/root${target}`));
}

/** Resolves when the shim has become the program, or has ended as either. */
export async function waitForProgram(shim: ProcessIdentity, command: readonly string[]): Promise<void> {
  const before = [asCommandLine(shimmed(command)), asCommandLine([...TERMINAL_SHIM, ...command]), '', null];
  await waitFor(() => (before.includes(readCommandLine(shim.pid)) ? null : true), isGone(shim));
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

function isGone(identity: ProcessIdentity): () => boolean {
  return () => checkIdentity(identity) !== 'running';
}

function asCommandLine(command: readonly string[]): string {
  return command.map((part) => `${part}\0`).join('');
}

function sameFile(a: string, b: string): boolean {
  try {
    const [first, second] = [statSync(a, { bigint: true }), statSync(b, { bigint: true })];
    return first.ino === second.ino && first.dev === second.dev;
  } catch {
    return false;
  }
}
