import type { Profile } from '../../../shared/settings/schema.ts';
import { OUT_FOLDER_BYTES, SMALL_TMPFS_BYTES } from '../../../shared/terminal/limits.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import { HOST_NAME, USER } from './etc-files.ts';
import { generatedFileArguments } from './launcher.ts';

const MIB = 1024 * 1024;

/** What the host has, as far as the arguments depend on it. Paths are resolved. */
export interface HostFacts {
  /** Top-level folders besides /usr: links into /usr on a merged system, folders of their own otherwise. */
  readonly topFolders: readonly { readonly path: string; readonly linkTarget: string | null }[];
  /** Files and folders of /etc that programs need, source and target. */
  readonly etc: readonly { readonly source: string; readonly target: string }[];
  /** Parts of /proc that are the whole machine's, not a process's: to be read only, or not at all. */
  readonly proc: { readonly readOnly: readonly string[]; readonly hidden: readonly string[] };
}

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

export interface Folders {
  readonly project: SharedFolder | null;
  readonly scratch: SharedFolder | null;
  /** Null for a shell; a worker has these and no folder. */
  readonly files: readonly SharedFile[] | null;
}

/** Where the folders are in the sandbox. */
export const FOLDER_TARGETS = { project: '/work/project', scratch: '/work/scratch' } as const;

/** Where a shell puts what a person may publish. */
export const OUT_FOLDER = '/out';

/** The working directory of a worker. Only root's tmpfs: nothing can be written in it but the files bound there. */
export const WORKER_DIRECTORY = '/work';

type Mount = SandboxPosture['mounts'][number];

/** The person's folders, or a worker's files, as the posture shows them and bwrap binds them. */
export function folderMounts({ project, scratch, files }: Folders): Mount[] {
  const mounts: Mount[] = [];
  if (project) mounts.push({ source: project.path, target: FOLDER_TARGETS.project, access: 'read-only' });
  if (scratch) mounts.push({ source: scratch.path, target: FOLDER_TARGETS.scratch, access: 'read-write' });
  for (const { path, target, access } of files ?? []) mounts.push({ source: path, target, access });
  return mounts;
}

/**
 * The options of bwrap for one session. They travel over a pipe (`--args`), not in the argument vector, which every
 * user of the machine can read. The profile's own environment comes later; see `startOrder`.
 *
 * `--new-session` is left out: the launcher and bwrap have no controlling terminal, and the program gets the PTY as
 * its own by `setsid --ctty` inside. That keeps job control and SIGWINCH, and Ctrl-C never reaches bwrap.
 * A host that is root stays root inside as far as file owners go (only capabilities are gone), and bwrap 0.8 leaves
 * /proc/sys writable for it: kernel.core_pattern would be a way out. So the machine's part of /proc is covered.
 * Everything on `/` is read-only at the end; what may be written is a tmpfs with a size, or the scratch folder.
 */
export function sandboxOptions(profile: Profile, host: HostFacts, folders: Folders): string[] {
  const { limits } = profile;
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent'],
    ...(profile.network === 'host' ? ['--share-net'] : []),
    ...['--uid', String(USER.id), '--gid', String(USER.id), '--cap-drop', 'ALL', '--hostname', HOST_NAME],
    ...['--ro-bind', '/usr', '/usr'],
    ...host.topFolders.flatMap(({ path, linkTarget }) =>
      linkTarget === null ? ['--ro-bind', path, path] : ['--symlink', linkTarget, path],
    ),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...host.proc.readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...host.proc.hidden.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...tmpfs('/dev/shm', SMALL_TMPFS_BYTES, '1777'),
    ...['--remount-ro', '/dev'],
    ...tmpfs('/tmp', limits.tmpMiB * MIB, '1777'),
    ...tmpfs('/run', SMALL_TMPFS_BYTES, '0755'),
    ...tmpfs(USER.home, limits.homeMiB * MIB, '0700'),
    ...(folders.files === null ? tmpfs(OUT_FOLDER, OUT_FOLDER_BYTES, '0700') : []),
    ...generatedFileArguments(),
    ...host.etc.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...['--dir', '/work'],
    ...folderMounts(folders).flatMap(({ source, target, access }) => [
      access === 'read-only' ? '--ro-bind' : '--bind',
      source,
      target,
    ]),
    ...['--remount-ro', '/', '--chdir', workingDirectory(folders)],
    ...ENVIRONMENT_OPTIONS,
  ];
}

function workingDirectory({ project, files }: Folders): string {
  if (files !== null) return WORKER_DIRECTORY;
  return project ? FOLDER_TARGETS.project : USER.home;
}

function tmpfs(target: string, bytes: number, mode: string): string[] {
  return ['--perms', mode, '--size', String(bytes), '--tmpfs', target];
}

const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: USER.home,
  USER: USER.name,
  LOGNAME: USER.name,
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
};

const ENVIRONMENT_OPTIONS = [
  '--clearenv',
  ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ['--setenv', name, value]),
];
