import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type Controller,
  groupFolder,
  type Hierarchy,
  readHierarchies,
  readMembership,
} from './cgroup-hierarchies.ts';

/** What control groups enforce on a process now; null where nothing does. */
export interface EnforcedLimits {
  readonly memoryBytes: number | null;
  /** Tasks of the whole group, bwrap's own included. */
  readonly tasks: number | null;
  /** Hundredths of one CPU. */
  readonly cpuPercent: number | null;
  readonly version: 1 | 2 | null;
}

/** Version 1 writes "no limit" as the largest page-aligned 64-bit value; nothing above this is a limit. */
const UNLIMITED_FROM = 2 ** 60;

/** A group or a scope that was made for one sandbox. */
const OWN_GROUP = /^airlock-\d+-\d+-\d+(\.scope)?$/;

/**
 * Reads back the limits of the sandbox's own groups that `pid` is in. The posture is made from this, not from what was
 * asked: a limit that the kernel did not take is never shown. Limits of the host's group, which the sandbox shares with it
 * and with others, are none of the sandbox's; those further up the tree are not looked at.
 */
export function readEnforcedLimits(pid: number): EnforcedLimits {
  return enforcedLimits(readMembership(pid), readHierarchies());
}

/** The same for a given text of /proc/PID/cgroup. Only the folders of `hierarchies` are read. */
export function enforcedLimits(membership: string, hierarchies: readonly Hierarchy[]): EnforcedLimits {
  const limits = { memoryBytes: null, tasks: null, cpuPercent: null, version: null } as {
    -readonly [Key in keyof EnforcedLimits]: EnforcedLimits[Key];
  };
  for (const hierarchy of hierarchies) {
    const folder = groupFolder(hierarchy, membership);
    if (folder === null || !OWN_GROUP.test(basename(folder))) continue;
    const has = (controller: Controller) =>
      hierarchy.version === 2 || hierarchy.controllers.includes(controller);
    if (has('memory')) limits.memoryBytes ??= memoryLimit(folder, hierarchy.version);
    if (has('pids')) limits.tasks ??= limitNumber(readFile(folder, 'pids.max'));
    if (has('cpu')) limits.cpuPercent ??= cpuLimit(folder, hierarchy.version);
    if (limits.memoryBytes !== null || limits.tasks !== null) limits.version ??= hierarchy.version;
  }
  return limits;
}

function memoryLimit(folder: string, version: 1 | 2): number | null {
  return limitNumber(readFile(folder, version === 2 ? 'memory.max' : 'memory.limit_in_bytes'));
}

function cpuLimit(folder: string, version: 1 | 2): number | null {
  const [quota, period] =
    version === 2
      ? (readFile(folder, 'cpu.max')?.split(' ') ?? [])
      : [readFile(folder, 'cpu.cfs_quota_us'), readFile(folder, 'cpu.cfs_period_us')];
  const share = Number(quota) / Number(period);
  return Number.isFinite(share) && share > 0 ? Math.max(1, Math.round(share * 100)) : null;
}

function limitNumber(text: string | null): number | null {
  const value = text === null ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) && value > 0 && value < UNLIMITED_FROM ? value : null;
}

function readFile(folder: string, name: string): string | null {
  try {
    return readFileSync(join(folder, name), 'utf8').trim();
  } catch {
    return null;
  }
}
