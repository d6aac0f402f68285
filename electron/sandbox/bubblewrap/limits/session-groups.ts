import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SandboxLimits } from '../../../../shared/settings/schema.ts';
import { readProcess } from '../../process-identity.ts';
import {
  CONTROLLERS,
  type Controller,
  groupFolder,
  type Hierarchy,
  readHierarchies,
  readMembership,
} from './cgroup-hierarchies.ts';

const MIB = 1024 * 1024;
const CPU_PERIOD_US = 100_000;

/** bwrap's own two processes count in a group, but not against the profile's bound. */
export const BWRAP_PROCESSES = 2;

/** One of them, the sandbox's pid 1, counts against the per-user limit inside as well. */
export const BWRAP_PROCESSES_INSIDE = 1;

/** A group is named after the host that made it, so that the next host can tell a leftover from one in use. */
const GROUP_NAME = /^airlock-(\d+)-(\d+)-\d+$/;

/** Control group folders made for one session. */
export class SessionGroups {
  readonly #folders: readonly string[];

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /**
   * Moves processes in. They must not have children outside, and must be held until this resolves. What the kernel
   * refuses stays where it is; the limits are read back afterwards, so nothing is claimed that does not hold.
   */
  async join(pids: readonly number[]): Promise<void> {
    // Asynchronous: the kernel may take 20 ms for a move, waiting for all of its processors.
    const move = (folder: string, pid: number) =>
      writeFile(join(folder, 'cgroup.procs'), String(pid)).catch(() => {});
    await Promise.all(this.#folders.flatMap((folder) => pids.map((pid) => move(folder, pid))));
  }

  /** Processes that run in the groups; zombies, which only wait for their parent, do not count. */
  processes(): number[] {
    const pids = this.#folders.flatMap(membersOf).filter((pid) => {
      const process = readProcess(pid);
      return process !== null && process.state !== 'Z' && process.state !== 'X';
    });
    return [...new Set(pids)];
  }

  /**
   * Ends whatever is still in the groups. Members are read from the kernel at this moment: a group that only this
   * session was ever put into cannot hold a stranger's process.
   */
  killAll(): void {
    for (const folder of this.#folders) {
      try {
        writeFileSync(join(folder, 'cgroup.kill'), '1');
      } catch {
        // Version 1, or a kernel before 5.14: one by one below.
      }
    }
    for (const pid of this.processes()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone in the meantime.
      }
    }
  }

  /** Removes the folders. False while a process is still in one. */
  remove(): boolean {
    return this.#folders.map(removeFolder).every(Boolean);
  }
}

/**
 * Makes groups in version 2, below the host's own group or beside it. Null when that is not possible here: no
 * controllers handed down, or not writable. A group that holds processes cannot hand controllers to children, so the
 * parent works only where the host sits in a leaf of a tree that was delegated to it.
 */
export function createVersion2Groups(name: string, limits: SandboxLimits): SessionGroups | null {
  const hierarchy = readHierarchies().find(({ version }) => version === 2);
  const own = hierarchy ? groupFolder(hierarchy, readMembership('self')) : null;
  if (!hierarchy || own === null) return null;
  for (const parent of own === hierarchy.mountPoint ? [own] : [own, dirname(own)]) {
    const folder = join(parent, name);
    try {
      const available = readFileSync(join(parent, 'cgroup.controllers'), 'utf8').trim().split(' ');
      if (!available.includes('memory') || !available.includes('pids')) continue;
      for (const controller of CONTROLLERS) {
        if (available.includes(controller)) {
          writeFileSync(join(parent, 'cgroup.subtree_control'), `+${controller}`);
        }
      }
      removeLeftovers(parent);
      mkdirSync(folder);
      writeFileSync(join(folder, 'memory.max'), String(limits.memoryMiB * MIB));
      tryWrite(join(folder, 'memory.swap.max'), '0');
      tryWrite(join(folder, 'memory.oom.group'), '0');
      writeFileSync(join(folder, 'pids.max'), String(limits.processes + BWRAP_PROCESSES));
      tryWrite(join(folder, 'cpu.max'), `${limits.cpuPercent * (CPU_PERIOD_US / 100)} ${CPU_PERIOD_US}`);
      return new SessionGroups([folder]);
    } catch {
      removeFolder(folder);
    }
  }
  return null;
}

/** Makes one group per version 1 controller. Null when not even one can be had. */
export function createVersion1Groups(name: string, limits: SandboxLimits): SessionGroups | null {
  const hierarchies = readHierarchies();
  const folders = CONTROLLERS.flatMap((controller) => {
    const hierarchy = hierarchies.find(({ controllers }) => controllers.includes(controller));
    const folder = hierarchy ? createVersion1Group(hierarchy, controller, name, limits) : null;
    return folder === null ? [] : [folder];
  });
  return folders.length === 0 ? null : new SessionGroups([...new Set(folders)]);
}

function createVersion1Group(
  hierarchy: Hierarchy,
  controller: Controller,
  name: string,
  limits: SandboxLimits,
): string | null {
  const parent = groupFolder(hierarchy, readMembership('self'));
  if (parent === null) return null;
  const folder = join(parent, name);
  try {
    removeLeftovers(parent);
    mkdirSync(folder, { recursive: true });
    if (controller === 'memory') {
      const bytes = String(limits.memoryMiB * MIB);
      writeFileSync(join(folder, 'memory.limit_in_bytes'), bytes);
      tryWrite(join(folder, 'memory.memsw.limit_in_bytes'), bytes);
    } else if (controller === 'pids') {
      writeFileSync(join(folder, 'pids.max'), String(limits.processes + BWRAP_PROCESSES));
    } else {
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(CPU_PERIOD_US));
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(limits.cpuPercent * (CPU_PERIOD_US / 100)));
    }
    return folder;
  } catch {
    removeFolder(folder);
    return null;
  }
}

/** Removes the groups of hosts that are gone (ST-26). What still has processes in it cannot be removed and stays. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid, startTime] = GROUP_NAME.exec(name) ?? [];
    if (pid === undefined || readProcess(Number(pid))?.startTime === startTime) continue;
    removeFolder(join(parent, name));
  }
}

function membersOf(folder: string): number[] {
  try {
    return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function removeFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** For what is a refinement only: the limit it refines is already in force. */
function tryWrite(path: string, value: string): void {
  try {
    writeFileSync(path, value);
  } catch {
    // Not in this kernel's configuration.
  }
}
