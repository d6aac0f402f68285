import { spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { checkIdentity, type ProcessIdentity, readProcess } from '../process-identity.ts';

/** Milliseconds for stty, which needs about three. */
const STTY_MS = 2_000;

export type BreakMeaning = 'ignored' | 'interrupt' | 'nul';

/** What termios(3) says a BREAK does on a serial line with these modes; `modes` is the output of `stty -a`. */
export function breakMeaning(modes: string): BreakMeaning {
  const words = modes.split(/[\s;]+/);
  if (words.includes('ignbrk')) return 'ignored';
  return words.includes('brkint') ? 'interrupt' : 'nul';
}

export interface BreakTarget {
  readonly slaveDescriptor: number;
  /** The session leader on the terminal. */
  readonly program: ProcessIdentity;
  readonly init: ProcessIdentity;
  readonly write: (bytes: Uint8Array) => Promise<void>;
}

/**
 * BREAK on a PTY. A PTY has no line to hold low: `tcsendbreak` on it succeeds and does nothing. So this is a
 * documented mapping, not a BREAK: the terminal's own modes decide what a serial line would have done, and that is
 * done. IGNBRK: nothing. BRKINT: SIGINT to the foreground process group, which must be one of this sandbox's.
 * Otherwise the program reads a NUL byte. Resolves with what happened, in words.
 */
export async function sendBreak(target: BreakTarget): Promise<string> {
  const modes = await readModes(target.slaveDescriptor);
  if (modes === null) return 'BREAK was not sent: the terminal modes could not be read.';
  switch (breakMeaning(modes)) {
    case 'ignored':
      return 'BREAK was ignored, as the terminal modes ask (ignbrk).';
    case 'interrupt':
      return interruptForeground(target);
    case 'nul':
      await target.write(new Uint8Array([0]));
      return 'BREAK was sent as a NUL byte, as the terminal modes ask.';
  }
}

function interruptForeground({ program, init }: BreakTarget): string {
  const group = checkIdentity(program) === 'running' ? readProcess(program.pid)?.foregroundGroup : undefined;
  if (group === undefined || group <= 1 || !isOfSandbox(group, init.pid)) {
    return 'BREAK was not sent: no foreground program of this sandbox was found.';
  }
  process.kill(-group, 'SIGINT');
  return 'BREAK interrupted the foreground program (SIGINT), as the terminal modes ask (brkint).';
}

/** Whether a process of the group lives in the sandbox's PID namespace. Its first one may have ended long ago. */
function isOfSandbox(group: number, init: number): boolean {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.some((pid) => sharesNamespace(pid, init) && readProcess(pid)?.group === group);
}

function sharesNamespace(pid: number, init: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) === readlinkSync(`/proc/${init}/ns/pid`);
  } catch {
    return false;
  }
}

async function readModes(slave: number): Promise<string | null> {
  const stty = spawn('/usr/bin/stty', ['-a'], {
    env: { LC_ALL: 'C' },
    stdio: [slave, 'pipe', 'ignore'],
    timeout: STTY_MS,
  });
  stty.on('error', () => {});
  const output = stty.stdout ? await text(stty.stdout).catch(() => '') : '';
  return output === '' ? null : output;
}
