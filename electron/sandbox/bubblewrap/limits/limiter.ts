import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { SandboxLimits } from '../../../../shared/settings/schema.ts';
import { readProcess } from '../../process-identity.ts';
import { BWRAP_PROCESSES, createVersion1Groups, createVersion2Groups } from './create-groups.ts';
import { SessionGroups } from './session-groups.ts';

/** Milliseconds for one trial of systemd-run. */
const TRIAL_MS = 3_000;

/** How one session is put under its limits, and what has to be removed afterwards. */
export interface SessionLimiter {
  /** For the posture: "systemd scope", "cgroup v2", "cgroup v1", "prlimit only". */
  readonly name: string;
  /** Stands before bwrap in its command line; empty for most. */
  readonly prefix: readonly string[];
  /** What the prefix needs of the host's environment; the sandbox never sees it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly groups: SessionGroups;
}

/** Nothing bounds the sandbox as a whole; each process has its own limits. */
export const PRLIMIT_ONLY = 'prlimit only';

let sequence = 0;

/**
 * The best way of limiting that works on this machine: a systemd scope, a group in a writable version 2 tree, version
 * 1 groups, and at last nothing but each process's own resource limits. Nothing here refuses a session: what could
 * not be enforced is said in its posture.
 */
export async function createSessionLimiter(limits: SandboxLimits): Promise<SessionLimiter> {
  const name = groupName();
  if (await systemdRuns()) {
    return {
      name: 'systemd scope',
      prefix: systemdScopeCommand(name, limits, process.getuid?.() === 0),
      environment: userBusEnvironment(),
      groups: new SessionGroups([]),
    };
  }
  const version2 = createVersion2Groups(name, limits);
  if (version2) return { name: 'cgroup v2', prefix: [], environment: {}, groups: version2 };
  const version1 = createVersion1Groups(name, limits);
  if (version1) return { name: 'cgroup v1', prefix: [], environment: {}, groups: version1 };
  return { name: PRLIMIT_ONLY, prefix: [], environment: {}, groups: new SessionGroups([]) };
}

/**
 * The systemd-run command that a scope's program is appended to. It becomes that program: the pid stays.
 * `Delegate` is set for its effect on OOMPolicy: otherwise systemd ends the whole session when the kernel ends one
 * program of it for want of memory.
 */
export function systemdScopeCommand(name: string, limits: SandboxLimits, asRoot: boolean): string[] {
  return [
    '/usr/bin/systemd-run',
    ...(asRoot ? [] : ['--user']),
    ...['--scope', '--quiet', '--collect', '--no-ask-password', '--unit', name],
    ...['--property', 'Delegate=yes'],
    ...['--property', `MemoryMax=${limits.memoryMiB}M`, '--property', 'MemorySwapMax=0'],
    ...['--property', `TasksMax=${limits.processes + BWRAP_PROCESSES}`],
    ...['--property', `CPUQuota=${limits.cpuPercent}%`, '--'],
  ];
}

let systemdTrial: Promise<boolean> | undefined;

/** Whether systemd makes scopes for this user. Tried once per host: whether it is installed says nothing. */
function systemdRuns(): Promise<boolean> {
  systemdTrial ??= (async () => {
    // The folder is how sd_booted(3) tells that systemd is running.
    if (!existsSync('/run/systemd/system') || !existsSync('/usr/bin/systemd-run')) return false;
    const manager = process.getuid?.() === 0 ? [] : ['--user'];
    const args = [...manager, '--scope', '--quiet', '--collect', '--no-ask-password', '--', '/usr/bin/true'];
    return promisify(execFile)('/usr/bin/systemd-run', args, { timeout: TRIAL_MS }).then(
      () => true,
      () => false,
    );
  })();
  return systemdTrial;
}

function userBusEnvironment(): Record<string, string> {
  const names = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function groupName(): string {
  sequence += 1;
  return `airlock-${process.pid}-${readProcess(process.pid)?.startTime ?? 0}-${sequence}`;
}
