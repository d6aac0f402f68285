import type { Bound, SandboxPosture } from '../../../shared/terminal/posture.ts';
import { type ContainerFacts, type DaemonInfo, isRootless } from '../docker/answers.ts';
import type { Daemon } from '../docker/client.ts';
import { cpuPercentOf, positive, processLimitOf } from '../docker/container-bounds.ts';

/** What a daemon's word "privileged" means. */
export const PRIVILEGED = 'privileged: its root is as good as root of the daemon’s machine';

/**
 * What is known of a container that somebody else made: what its daemon says of it. Folders and users are its maker's choice,
 * so they are not claimed to be anything.
 */
export function postureOf(
  daemon: Daemon,
  info: DaemonInfo,
  { Name, HostConfig, Config, Id }: ContainerFacts,
): SandboxPosture {
  const { NetworkMode, Memory, PidsLimit } = HostConfig;
  // Podman without root says that it bounds what nobody has delegated to it.
  const isTrue = daemon.product === 'Docker' || !isRootless(info);
  const byGroup = (enforced: boolean, value: number | null): Bound =>
    value === null || !enforced ? null : isTrue ? value : 'unknown';
  const { Privileged } = HostConfig;
  const user = Config.User || 'the container’s own (root, unless its image says otherwise)';
  return {
    engine: `${daemon.product}, attached to ${(Name ?? Id.slice(0, 12)).replace(/^\//, '')}`,
    engineVersion: daemon.version,
    network: NetworkMode === 'none' || NetworkMode === 'host' ? NetworkMode : 'unknown',
    mounts: [],
    filesUnknown: true,
    user: Privileged ? `${user}; the container is ${PRIVILEGED}` : user,
    limits: {
      memoryBytes: byGroup(info.MemoryLimit, positive(Memory)),
      processes: byGroup(info.PidsLimit, positive(PidsLimit)),
      cpuPercent: byGroup(info.CpuCfsQuota, cpuPercentOf(HostConfig)),
      // One that was made without has its daemon's own.
      openFiles: processLimitOf(HostConfig, 'nofile') ?? 'unknown',
      ...{ homeBytes: 'unknown', tmpBytes: 'unknown' },
      fileBytes: processLimitOf(HostConfig, 'fsize'),
      enforcedBy:
        'the container as it was made: its folders, rights and other limits are not known to Airlock',
    },
    recorded: false,
  };
}
