import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  checkIdentity,
  childrenOf,
  identify,
  type ProcessIdentity,
  readCommandLine,
} from '../process-identity.ts';
import type { PtyProcess } from '../pty/pty-process.ts';
import { settledWithin, waitUntil } from '../wait.ts';
import { type Folders, folderMounts } from './arguments.ts';
import type { StatusReader } from './status.ts';

/** Milliseconds between two looks whether the program runs already. */
const START_POLL_MS = 1;

/** Milliseconds until bwrap must have mounted the folders; it needs about three. */
const MOUNT_DEADLINE_MS = 5_000;

/** Milliseconds for the last status line to arrive after bwrap was reaped. */
const STATUS_GRACE_MS = 500;

/** Characters of bwrap's own message that an error repeats. */
const MESSAGE_MAX_CHARS = 400;

/** Gives the program the PTY as its controlling terminal. It becomes the program: the pid stays. */
export const TERMINAL_SHIM = ['/usr/bin/setsid', '--ctty', '--'] as const;

export type Start =
  /** `program` is null when it ended before anybody could look. */
  | { readonly kind: 'started'; readonly program: ProcessIdentity | null }
  | { readonly kind: 'set-up-failed'; readonly words: string }
  | { readonly kind: 'program-failed'; readonly reason: string };

/**
 * Whether what is mounted in the sandbox is what was checked. Between the check and the mount a sandbox that may
 * write a parent of the folder could have put a link in its place. Waits for the mount; false when it never comes.
 */
export async function foldersAreMounted(init: ProcessIdentity, folders: Folders): Promise<boolean> {
  const same = () =>
    folderMounts(folders).every(({ source, target }) => sameFile(source, `/proc/${init.pid}/root${target}`));
  await waitUntil(() => same() || checkIdentity(init) !== 'running', MOUNT_DEADLINE_MS);
  return same();
}

/**
 * Waits until the program itself runs or cannot. bwrap reports that it executed the shim; whether the shim could
 * execute the program shows in the process's command line, or in how the shim ended.
 */
export async function waitForStart(
  process: PtyProcess,
  init: number,
  command: readonly string[],
  status: StatusReader,
): Promise<Start> {
  const notTheProgram = new Set([
    readCommandLine(init),
    [...TERMINAL_SHIM, ...command].map((part) => `${part}\0`).join(''),
    '',
    null,
  ]);
  let exited = false;
  const exit = process.exited.then(() => {
    exited = true;
  });
  while (!exited) {
    const pid = childrenOf(init).find((child) => !notTheProgram.has(readCommandLine(child)));
    if (pid !== undefined) return { kind: 'started', program: identify(pid) };
    await Promise.race([exit, delay(START_POLL_MS)]);
  }
  await settledWithin(status.complete, STATUS_GRACE_MS);
  const words = await lastWords(process);
  if (status.exitCode === null) return { kind: 'set-up-failed', words };
  const reason = shimFailure(status.exitCode, words);
  return reason === null ? { kind: 'started', program: null } : { kind: 'program-failed', reason };
}

/**
 * What the shim says when it cannot execute the program: exit code 126 or 127, and its own name before the reason.
 * Null when the words are the program's.
 */
export function shimFailure(exitCode: number, words: string): string | null {
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

function sameFile(a: string, b: string): boolean {
  try {
    const [first, second] = [statSync(a, { bigint: true }), statSync(b, { bigint: true })];
    return first.ino === second.ino && first.dev === second.dev;
  } catch {
    return false;
  }
}
