import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The controllers that bound a sandbox. */
export const CONTROLLERS = ['memory', 'pids', 'cpu'] as const;
export type Controller = (typeof CONTROLLERS)[number];

/** One mounted control group hierarchy, as /proc/self/mountinfo gives it. */
export interface Hierarchy {
  readonly version: 1 | 2;
  /** Version 1 only: version 2 names the usable ones per folder. */
  readonly controllers: readonly Controller[];
  /** The group that is visible as `mountPoint`; not "/" in a container. */
  readonly root: string;
  readonly mountPoint: string;
}

/** Parses /proc/PID/mountinfo. */
export function parseHierarchies(mountInfo: string): Hierarchy[] {
  return mountInfo.split('\n').flatMap((line): Hierarchy[] => {
    const [before, after] = line.split(' - ');
    const [root, mountPoint] = before?.split(' ').slice(3, 5) ?? [];
    const [type, , superOptions] = after?.split(' ') ?? [];
    if (!root || !mountPoint || (type !== 'cgroup' && type !== 'cgroup2')) return [];
    const options = superOptions?.split(',') ?? [];
    return [
      {
        version: type === 'cgroup2' ? 2 : 1,
        controllers: CONTROLLERS.filter((controller) => type === 'cgroup' && options.includes(controller)),
        root: unescapeOctal(root),
        mountPoint: unescapeOctal(mountPoint),
      },
    ];
  });
}

/**
 * The folder of a process's group in one hierarchy. `membership` is the text of /proc/PID/cgroup.
 * Null when the hierarchy is not in it, or its group lies outside of what is mounted.
 */
export function groupFolder(hierarchy: Hierarchy, membership: string): string | null {
  for (const line of membership.split('\n')) {
    const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (names === undefined || path === undefined) continue;
    const isThis =
      hierarchy.version === 2
        ? names === ''
        : hierarchy.controllers.some((controller) => names.split(',').includes(controller));
    if (!isThis) continue;
    const root = hierarchy.root === '/' ? '' : hierarchy.root;
    if (root !== '' && path !== root && !path.startsWith(`${root}/`)) return null;
    if (path.split('/').includes('..')) return null;
    return resolve(hierarchy.mountPoint, `./${path.slice(root.length)}`);
  }
  return null;
}

/** This machine's hierarchies; none where /proc has no mountinfo. */
export function readHierarchies(): Hierarchy[] {
  try {
    return parseHierarchies(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    return [];
  }
}

export function readMembership(pid: number | 'self'): string {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, 'utf8');
  } catch {
    return '';
  }
}

function unescapeOctal(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
