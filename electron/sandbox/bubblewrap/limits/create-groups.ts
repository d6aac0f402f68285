import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SandboxLimits } from '../../../../shared/settings/schema.ts';
import { isGone, readBootId } from '../../process-identity.ts';
import {
  CONTROLLERS,
  type Controller,
  groupFolder,
  type Hierarchy,
  readHierarchies,
  readMembership,
} from './cgroup-hierarchies.ts';
import { removeFolder, SessionGroups } from './session-groups.ts';

const MIB = 1024 * 1024;
const CPU_PERIOD_US = 100_000;

/** bwrap's own two processes count in a group, but not against the profile's bound. */
export const BWRAP_PROCESSES = 2;

/** One of them, the sandbox's pid 1, counts against the per-user limit inside as well. */
export const BWRAP_PROCESSES_INSIDE = 1;

/** A group is named after the host that made it, so that the next host can tell a leftover from one in use. */
const GROUP_NAME = /^airlock-(\d+)-(\d+)-\d+$/;

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
  const bootId = readBootId();
  for (const name of readdirSync(parent)) {
    const [, pid, startTime] = GROUP_NAME.exec(name) ?? [];
    if (pid === undefined || startTime === undefined || bootId === null) continue;
    if (isGone({ kind: 'process', pid: Number(pid), startTime, bootId })) removeFolder(join(parent, name));
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
