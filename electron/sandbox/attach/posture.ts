import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import { type ContainerFacts, type DaemonInfo, isRootless } from '../docker/answers.ts';
import type { Daemon } from '../docker/client.ts';

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
  const known = (enforced: boolean, value: number | null | undefined) =>
    enforced && isTrue && typeof value === 'number' && value > 0 ? value : null;
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
      memoryBytes: known(info.MemoryLimit, Memory),
      processes: known(info.PidsLimit, PidsLimit),
      ...{
        openFiles: null,
        cpuPercent: null,
        homeBytes: null,
        tmpBytes: null,
        fileBytes: null,
      },
      enforcedBy:
        'the container as it was made: its folders, rights and other limits are not known to Airlock',
    },
    recorded: false,
  };
}
