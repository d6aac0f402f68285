import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { ContainerSettings } from '../../../shared/settings/engine-settings.ts';
import {
  FOLDER_TARGETS,
  HOST_NAME,
  OUT_FOLDER,
  USER,
  WORKER_DIRECTORY,
} from '../../../shared/terminal/inside.ts';
import { SMALL_TMPFS_BYTES } from '../../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { type DaemonInfo, type ImageFacts, isRootless } from '../docker/answers.ts';
import type { Daemon } from '../docker/client.ts';
import { CPU_PERIOD_US } from '../docker/container-bounds.ts';
import { cleanWords } from '../docker/daemon-error.ts';
import { labelsOf } from '../docker/labels.ts';
import { EngineError, type SandboxSpec } from '../engine.ts';
import { type Folders, folderMounts } from '../host-folders.ts';
import type { ContainerUser } from './user.ts';

export const MIB = 1024 * 1024;

/** The init of a container, beside the program's own processes. */
const INIT_PROCESSES = 1;

/** Threads of gVisor's kernel count as processes; with fewer it is killed as it starts. */
const RUNSC_PROCESSES_MIN = 128;

/** What one container is made from. */
export interface ContainerPlan {
  readonly spec: SandboxSpec;
  readonly settings: ContainerSettings;
  readonly size: TerminalSize;
  readonly daemon: Daemon;
  readonly info: DaemonInfo;
  readonly image: ImageFacts;
  readonly folders: Folders;
  /** The folder of the host that is /out; null where there is none. */
  readonly out: string | null;
  readonly user: ContainerUser;
  /** What runs: the program, or a gate before it. */
  readonly command: readonly string[];
}

/**
 * What the daemon is asked for. Nothing of the host is in the container but what the posture lists; nothing can be written but
 * memory file systems with a size, the scratch folder and /out; no capability, and none to be had; no network unless the
 * profile says so; nothing of the output is kept by the daemon. An init is the first process: a program that were it itself
 * would be deaf to most signals.
 */
export function createOptions(plan: ContainerPlan): object {
  const { spec, settings, size, daemon, folders, user, command } = plan;
  const { limits, network } = spec.profile;
  const memory = limits.memoryMiB * MIB;
  const processes = tasksOf(limits.processes);
  return {
    Image: plan.image.Id,
    // The image's own entrypoint and its health check would be programs that nobody chose.
    Entrypoint: [...command],
    Cmd: [],
    Healthcheck: { Test: ['NONE'] },
    ...{ Tty: true, OpenStdin: true, StdinOnce: true },
    ...{ AttachStdin: true, AttachStdout: true, AttachStderr: true },
    User: `${user.uid}:${user.gid}`,
    Hostname: HOST_NAME,
    WorkingDir: workingDirectory(folders),
    Env: environmentOf(spec),
    Labels: labelsOf(spec.sessionId),
    HostConfig: {
      NetworkMode: network,
      ...(daemon.takesConsoleSize ? { ConsoleSize: [size.rows, size.cols] } : {}),
      ...(settings.runtime === 'runsc' ? { Runtime: 'runsc' } : {}),
      ...(user.namespace === '' ? {} : { UsernsMode: user.namespace }),
      ...{ ReadonlyRootfs: true, Privileged: false, CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'] },
      ...{ IpcMode: 'private', Init: true, AutoRemove: false, RestartPolicy: { Name: 'no' } },
      ...{ Memory: memory, MemorySwap: memory },
      PidsLimit: settings.runtime === 'runsc' ? Math.max(processes, RUNSC_PROCESSES_MIN) : processes,
      ...{ CpuPeriod: CPU_PERIOD_US, CpuQuota: limits.cpuPercent * (CPU_PERIOD_US / 100) },
      Ulimits: resourceLimits(plan),
      ShmSize: SMALL_TMPFS_BYTES,
      Tmpfs: memoryFileSystems(plan),
      Mounts: [
        ...folderMounts(folders).map(({ source, target, access }) =>
          bind(source, target, access === 'read-only'),
        ),
        ...(plan.out === null ? [] : [bind(plan.out, OUT_FOLDER, false)]),
      ],
      LogConfig: { Type: 'none' },
    },
  };
}

/** What has to be asked for, so that the program can have this many processes. */
export function tasksOf(processes: number): number {
  return processes + INIT_PROCESSES;
}

/** The processes that the program can have, of those that were asked for. */
export function processesOf(tasks: number): number {
  return tasks - INIT_PROCESSES;
}

function workingDirectory({ project, files }: Folders): string {
  if (files !== null) return WORKER_DIRECTORY;
  return project ? FOLDER_TARGETS.project : USER.home;
}

/** Beside what the image sets. Nothing of the host's own environment; nothing for a worker, whose gate empties it (E14). */
function environmentOf({ profile, worker }: SandboxSpec): string[] {
  if (worker) return [];
  const own = { HOME: USER.home, USER: USER.name, LOGNAME: USER.name, LANG: 'C.UTF-8' };
  const terminal = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };
  return Object.entries({ ...own, ...terminal, ...profile.environment }).map(
    ([name, value]) => `${name}=${value}`,
  );
}

/**
 * Whether a shell has to bound single processes before the program begins: without root some versions of Podman ignore those
 * limits, and it says of control groups that it cannot use that they bound something.
 */
export function needsShellBounds({ product }: Daemon, info: DaemonInfo): boolean {
  return product === 'Podman' && isRootless(info);
}

function resourceLimits({ spec, daemon, info }: ContainerPlan): object[] {
  // Set once: a shell counts the size of files in blocks, and could not raise a limit.
  if (needsShellBounds(daemon, info)) return [];
  const { openFiles } = spec.profile.limits;
  const fileBytes = spec.worker?.fileMaxBytes ?? null;
  const own = daemon.product === 'Podman' ? ownProcessLimit() : null;
  return [
    limit('nofile', openFiles),
    limit('core', 0),
    ...(fileBytes === null ? [] : [limit('fsize', fileBytes)]),
    // Podman raises it to a number of its own, which a system may not allow; it counts a user's processes everywhere.
    ...(own === null ? [] : [limit('nproc', own)]),
  ];
}

function limit(name: string, value: number) {
  return { Name: name, Soft: value, Hard: value };
}

/**
 * What Podman's service may not exceed, as far as can be known from outside: it has lowered its own limit to the number of
 * processes of its machine. Null where there is no such limit.
 */
function ownProcessLimit(): number | null {
  try {
    const hard = Number(/^Max processes +\S+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    const all = Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8'));
    const least = Math.min(...[hard, all].filter((value) => Number.isSafeInteger(value) && value > 0));
    return Number.isFinite(least) ? least : null;
  } catch {
    return null;
  }
}

/** Also over what the image declares as volumes: the daemon would make folders of its own disk of them, without a bound. */
function memoryFileSystems({ spec, daemon, image, user, folders }: ContainerPlan): Record<string, string> {
  const { limits } = spec.profile;
  const isPodman = daemon.product === 'Podman';
  const options = (bytes: number, rest: string) => `rw,exec,nosuid,nodev,size=${bytes},${rest}`;
  // Podman takes no owner. There is one user inside.
  const owned = isPodman ? 'mode=1777' : `mode=0700,uid=${user.uid},gid=${user.gid}`;
  const shared = 'mode=1777';
  const taken = new Set<string>([OUT_FOLDER, ...folderMounts(folders).map(({ target }) => target)]);
  return {
    ...Object.fromEntries(volumesOf(image, taken).map((path) => [path, options(SMALL_TMPFS_BYTES, shared)])),
    '/run': options(SMALL_TMPFS_BYTES, shared),
    '/var/tmp': options(SMALL_TMPFS_BYTES, shared),
    '/tmp': options(limits.tmpMiB * MIB, shared),
    [USER.home]: options(limits.homeMiB * MIB, owned),
  };
}

/** What is mounted below a folder is left out: older daemons would let it be written although the folder may not be. */
function bind(source: string, target: string, readOnly: boolean) {
  return {
    Type: 'bind',
    Source: source,
    Target: target,
    ReadOnly: readOnly,
    BindOptions: { NonRecursive: true },
  };
}

/**
 * Where the image declares volumes, as daemons take it, and nothing else is mounted. Throws EngineError for one that no memory
 * file system can take the place of: it would be the daemon's own disk, without a bound, or a new folder in one that is shared.
 */
export function volumesOf({ Config }: Pick<ImageFacts, 'Config'>, taken: ReadonlySet<string>): string[] {
  const paths = Object.keys(Config?.Volumes ?? {});
  const isBelow = (path: string) => [...taken].some((target) => path.startsWith(`${target}/`));
  return paths.flatMap((declared) => {
    const path = posix.resolve('/', declared);
    if (!/^\/[^:,\p{Cc}\p{Cf}]+$/u.test(declared) || path === '/' || isBelow(path))
      throw new EngineError(
        'open-failed',
        `The image declares a volume at ${JSON.stringify(cleanWords(declared))}, which cannot be bounded: use another image.`,
      );
    return taken.has(path) ? [] : [path];
  });
}
