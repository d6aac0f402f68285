import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import type { ContainerFacts, DaemonInfo } from '../docker/answers.ts';
import type { Daemon } from '../docker/client.ts';
import { type Folders, folderMounts } from '../host-folders.ts';
import { USER } from '../inside.ts';
import { processesOf } from './create-options.ts';
import type { ContainerUser } from './user.ts';

/** What holds for a container, as its daemon says it of the container that runs; null where it enforces nothing. */
export function postureOf(known: {
  readonly daemon: Daemon;
  readonly info: DaemonInfo;
  readonly facts: ContainerFacts;
  readonly folders: Folders;
  readonly user: ContainerUser;
  /** Path of the folder of the host that is /out; null where there is none. */
  readonly out: string | null;
  readonly isGvisor: boolean;
}): SandboxPosture {
  const { daemon, info, facts, user, isGvisor } = known;
  const { HostConfig } = facts;
  const network = HostConfig.NetworkMode;
  const hard = (name: string) =>
    positive(HostConfig.Ulimits.find(({ Name }) => Name.toLowerCase().replace('rlimit_', '') === name)?.Hard);
  const pids = info.PidsLimit ? positive(HostConfig.PidsLimit) : null;
  return {
    engine: isGvisor ? `gVisor in ${daemon.product}` : daemon.product,
    engineVersion: daemon.version,
    network: network === 'none' || network === 'host' ? network : 'unknown',
    mounts: folderMounts(known.folders),
    user: userInWords(user, daemon.product),
    limits: {
      memoryBytes: info.MemoryLimit ? positive(HostConfig.Memory) : null,
      processes: pids === null ? null : processesOf(pids),
      openFiles: hard('nofile'),
      cpuPercent: info.CpuCfsQuota ? cpuPercent(HostConfig) : null,
      homeBytes: sizeOf(HostConfig, USER.home),
      tmpBytes: sizeOf(HostConfig, '/tmp'),
      // It is a folder of the host's disk.
      ...(known.out === null ? {} : { outBytes: null }),
      fileBytes: hard('fsize'),
      enforcedBy: info.CgroupVersion === null ? 'the daemon' : `cgroup v${info.CgroupVersion}`,
    },
    recorded: false,
  };
}

function userInWords({ uid, namespace, sameOnHost }: ContainerUser, product: Daemon['product']): string {
  if (namespace !== '') return `${uid}, by ${product} without root`;
  return sameOnHost ? `${uid}` : `${uid}, in a user namespace of ${product}`;
}

function cpuPercent({ CpuQuota, CpuPeriod, NanoCpus }: ContainerFacts['HostConfig']): number | null {
  if (CpuQuota && CpuPeriod) return positive(Math.round((CpuQuota / CpuPeriod) * 100));
  return NanoCpus ? positive(Math.round(NanoCpus / 1e7)) : null;
}

function sizeOf({ Tmpfs }: ContainerFacts['HostConfig'], path: string): number | null {
  return positive(Number(/(?:^|,)size=(\d+)(?:,|$)/.exec(Tmpfs?.[path] ?? '')?.[1]));
}

function positive(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}
