import type { Profile } from '../../../shared/settings/schema.ts';
import {
  FOLDER_TARGETS,
  HOST_NAME,
  OUT_FOLDER,
  USER,
  WORKER_DIRECTORY,
} from '../../../shared/terminal/inside.ts';
import { OUT_FOLDER_BYTES, SMALL_TMPFS_BYTES } from '../../../shared/terminal/limits.ts';
import { type Folders, folderMounts } from '../host-folders.ts';
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
