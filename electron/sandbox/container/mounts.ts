import { statSync } from 'node:fs';
import type { FoundMount, GateReport } from '../docker/gate.ts';
import { EngineError } from '../engine.ts';
import { type Folders, type SharedFolder, sharedPlaces } from '../host-folders.ts';
import { readBootId } from '../process-identity.ts';

/**
 * Refuses a container in which something else is mounted than what was checked, before the program begins. A daemon takes paths,
 * and another sandbox that may write to a parent of one can put a link in its place until the daemon follows it.
 *
 * Containers on this machine's kernel see the numbers that this process sees. gVisor, and the machine of a daemon that runs in
 * one, have their own: there it is known by the time of its last change, to the nanosecond, which no program can choose.
 */
export function checkMounts(
  folders: Folders,
  { bootId, mounts }: Pick<GateReport, 'bootId' | 'mounts'>,
): void {
  const isSame = bootId === readBootId() ? isTheOne : changedWithIt;
  for (const [index, shared] of sharedPlaces(folders).entries()) {
    const found = mounts[index];
    if (found !== undefined && isSame(found, shared)) continue;
    throw new EngineError(
      'open-failed',
      `The container was given something else than ${shared.path}: that was replaced or changed while the container was set up, or its daemon sees other files than this host. Nothing of yours was run in it.`,
    );
  }
}

function isTheOne({ device, inode }: FoundMount, shared: SharedFolder): boolean {
  return device === shared.device && inode === shared.inode;
}

function changedWithIt({ changedAt }: FoundMount, shared: SharedFolder): boolean {
  try {
    const { dev, ino, ctimeNs } = statSync(shared.path, { bigint: true });
    return dev === shared.device && ino === shared.inode && ctimeNs === changedAt;
  } catch {
    return false;
  }
}
