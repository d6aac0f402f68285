import { FOLDER_TARGETS } from '../../shared/terminal/inside.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';

/** A folder of the host: its resolved path, and what that path named when it was checked. */
export interface SharedFolder {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

/** What of the host is given, with its place; of a worker a plain file. */
export interface SharedFile extends SharedFolder {
  /** Absolute path in the sandbox. */
  readonly target: string;
  readonly access: 'read-only' | 'read-write';
}

/** What of the host one session is given; see `resolveFolders`. */
export interface Folders {
  readonly project: SharedFolder | null;
  readonly scratch: SharedFolder | null;
  /** Null for a shell; a worker has these and no folder. */
  readonly files: readonly SharedFile[] | null;
}

type Mount = SandboxPosture['mounts'][number];

/** Everything that is shared, with its place in the sandbox. */
export function sharedPlaces({ project, scratch, files }: Folders): SharedFile[] {
  return [
    ...(project ? [{ ...project, target: FOLDER_TARGETS.project, access: 'read-only' } as const] : []),
    ...(scratch ? [{ ...scratch, target: FOLDER_TARGETS.scratch, access: 'read-write' } as const] : []),
    ...(files ?? []),
  ];
}

/** The person's folders, or a worker's files, as the posture shows them and an engine binds them. */
export function folderMounts(folders: Folders): Mount[] {
  return sharedPlaces(folders).map(({ path, target, access }) => ({ source: path, target, access }));
}
