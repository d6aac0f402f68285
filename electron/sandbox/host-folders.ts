import { FOLDER_TARGETS } from '../../shared/terminal/inside.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';

/** A folder of the host: its resolved path, and what that path named when it was checked. */
export interface SharedFolder {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

/** A plain file of the host that a worker is given. */
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

/** The person's folders, or a worker's files, as the posture shows them and an engine binds them. */
export function folderMounts({ project, scratch, files }: Folders): Mount[] {
  const mounts: Mount[] = [];
  if (project) mounts.push({ source: project.path, target: FOLDER_TARGETS.project, access: 'read-only' });
  if (scratch) mounts.push({ source: scratch.path, target: FOLDER_TARGETS.scratch, access: 'read-write' });
  for (const { path, target, access } of files ?? []) mounts.push({ source: path, target, access });
  return mounts;
}
