import { readFileSync } from 'node:fs';
import type { SandboxIdentity } from './engine.ts';

/** A process of this machine as /proc describes it. `state` is one letter; Z is a zombie that awaits its parent. */
export interface ProcessStat {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  /** The foreground process group of its controlling terminal, or -1 without one. */
  readonly foregroundGroup: number;
  /** Field 22, clock ticks since boot, kept as text: it is compared, never computed with. */
  readonly startTime: string;
}

export type ProcessIdentity = Extract<SandboxIdentity, { kind: 'process' }>;

/** Parses one line of /proc/PID/stat. The name in parentheses may itself hold blanks and parentheses. */
export function parseProcessStat(text: string): ProcessStat | null {
  const nameEnd = text.lastIndexOf(')');
  const pid = Number.parseInt(text, 10);
  // The first field after the name is number 3 (state) of proc(5).
  const fields = text.slice(nameEnd + 2).split(' ');
  const [state, parent, group] = fields;
  const foregroundGroup = fields[5];
  const startTime = fields[19];
  if (nameEnd < 0 || !Number.isInteger(pid) || !state || !parent || !group || !foregroundGroup || !startTime)
    return null;
  return {
    pid,
    state,
    parent: Number(parent),
    group: Number(group),
    foregroundGroup: Number(foregroundGroup),
    startTime,
  };
}

/** The process with this number, or null when there is none. Throws, as all that reads /proc, what else the system says. */
export function readProcess(pid: number): ProcessStat | null {
  const text = readText(`/proc/${pid}/stat`);
  return text === null ? null : parseProcessStat(text);
}

/** Null where /proc does not exist. Differs after every boot, so it dates pids and start times (ST-25). */
export function readBootId(): string | null {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

/** The exact identity of a live process, or null when it is gone. */
export function identify(pid: number): ProcessIdentity | null {
  const process = readProcess(pid);
  const bootId = readBootId();
  if (!process || !bootId) return null;
  return { kind: 'process', pid, startTime: process.startTime, bootId };
}

export type IdentityCheck = 'running' | 'gone' | 'mismatch' | 'unknown';

/**
 * Whether `identity` still names the process it was taken from. A zombie counts as gone: nothing of it runs.
 * `mismatch` means that the number belongs to something else now, which must never be signalled (ST-25).
 * `unknown`: /proc cannot be read, because the host has no descriptors left, for example.
 */
export function checkIdentity(identity: ProcessIdentity): IdentityCheck {
  try {
    const bootId = readBootId();
    if (bootId === null) return 'unknown';
    if (bootId !== identity.bootId) return 'gone';
    const process = readProcess(identity.pid);
    if (process === null) return 'gone';
    if (process.startTime !== identity.startTime) return 'mismatch';
    return hasEnded(process) ? 'gone' : 'running';
  } catch {
    return 'unknown';
  }
}

/** Whether certainly nothing of it runs any more. */
export function isGone(identity: ProcessIdentity): boolean {
  const check = checkIdentity(identity);
  return check === 'gone' || check === 'mismatch';
}

/** Whether it only waits for its parent. */
export function hasEnded({ state }: ProcessStat): boolean {
  return state === 'Z' || state === 'X';
}

export type SignalResult = 'sent' | Exclude<IdentityCheck, 'running'>;

/** Signals exactly the identified process, or nothing (ST-25). */
export function signalExactly(identity: ProcessIdentity, signal: NodeJS.Signals): SignalResult {
  const check = checkIdentity(identity);
  if (check !== 'running') return check;
  try {
    process.kill(identity.pid, signal);
    return 'sent';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'gone';
    throw error;
  }
}

/** Numbers of the live children of a process's main thread, oldest first. */
export function childrenOf(pid: number): number[] {
  const text = readText(`/proc/${pid}/task/${pid}/children`);
  return text === null ? [] : text.split(' ').filter(Boolean).map(Number);
}

/** Whether a process is pid 1 of a PID namespace below the reader's. */
export function isNamespaceInit(pid: number): boolean {
  const status = readText(`/proc/${pid}/status`);
  return status !== null && /^NSpid:(\t\d+)+\t1$/m.test(status);
}

/** The argument vector as the kernel keeps it (NUL-separated), or null when the process is gone. */
export function readCommandLine(pid: number): string | null {
  return readText(`/proc/${pid}/cmdline`);
}

/** Null when there is no such file, or no process behind it any more. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
}
