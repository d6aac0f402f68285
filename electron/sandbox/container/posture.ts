import { USER } from '../../../shared/terminal/inside.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import type { ContainerFacts, DaemonInfo } from '../docker/answers.ts';
import type { Daemon } from '../docker/client.ts';
import { cpuPercentOf, positive, processLimitOf } from '../docker/container-bounds.ts';
import type { FoundBounds } from '../docker/shell-bounds.ts';
import { type Folders, folderMounts } from '../host-folders.ts';
import { processesOf } from './create-options.ts';
import type { ContainerUser } from './user.ts';

/** Each process has bounds of its own, and nothing else has any. */
const PRLIMIT_ONLY = 'prlimit only';

/** What holds for a container, as its daemon says it of the container that runs, or as it was read back inside; null where nothing enforces it. */
export function postureOf(known: {
  readonly daemon: Daemon;
  readonly info: DaemonInfo;
  readonly facts: ContainerFacts;
  readonly folders: Folders;
  readonly user: ContainerUser;
  /** Path of the folder of the host that is /out; null where there is none. */
  readonly out: string | null;
  readonly isGvisor: boolean;
  /** What was read back inside; null where the daemon's word is good. */
  readonly bounds: FoundBounds | null;
}): SandboxPosture {
  const { daemon, facts, user, isGvisor, bounds } = known;
  const { HostConfig } = facts;
  const network = HostConfig.NetworkMode;
  return {
    engine: isGvisor ? `gVisor in ${daemon.product}` : daemon.product,
    engineVersion: daemon.version,
    network: network === 'none' || network === 'host' ? network : 'unknown',
    mounts: folderMounts(known.folders),
    user: userInWords(user, daemon.product),
    limits: {
      ...(bounds === null ? boundsByDaemon(known.info, HostConfig) : boundsInside(bounds)),
      homeBytes: sizeOf(HostConfig, USER.home),
      tmpBytes: sizeOf(HostConfig, '/tmp'),
      // It is a folder of the host's disk.
      ...(known.out === null ? {} : { outBytes: null }),
    },
    recorded: false,
  };
}

type Bounds = Pick<
  SandboxPosture['limits'],
  'memoryBytes' | 'processes' | 'openFiles' | 'cpuPercent' | 'fileBytes' | 'enforcedBy'
>;

function boundsByDaemon(info: DaemonInfo, HostConfig: ContainerFacts['HostConfig']): Bounds {
  const pids = info.PidsLimit ? positive(HostConfig.PidsLimit) : null;
  const byGroups = {
    memoryBytes: info.MemoryLimit ? positive(HostConfig.Memory) : null,
    processes: pids === null ? null : processesOf(pids),
    cpuPercent: info.CpuCfsQuota ? cpuPercentOf(HostConfig) : null,
  };
  const isBound = Object.values(byGroups).some((bound) => bound !== null);
  const groups = info.CgroupVersion === null ? 'the daemon' : `cgroup v${info.CgroupVersion}`;
  return {
    ...byGroups,
    openFiles: processLimitOf(HostConfig, 'nofile'),
    fileBytes: processLimitOf(HostConfig, 'fsize'),
    enforcedBy: isBound ? groups : PRLIMIT_ONLY,
  };
}

function boundsInside({ tasks, byControlGroup, ...bounds }: FoundBounds): Bounds {
  return {
    ...bounds,
    processes: tasks === null ? null : processesOf(tasks),
    enforcedBy: byControlGroup ? 'cgroup v2' : PRLIMIT_ONLY,
  };
}

function userInWords({ uid, namespace, sameOnHost }: ContainerUser, product: Daemon['product']): string {
  if (namespace !== '') return `${uid}, by ${product} without root`;
  return sameOnHost ? `${uid}` : `${uid}, in a user namespace of ${product}`;
}

function sizeOf({ Tmpfs }: ContainerFacts['HostConfig'], path: string): number | null {
  return positive(Number(/(?:^|,)size=(\d+)(?:,|$)/.exec(Tmpfs?.[path] ?? '')?.[1]));
}
