import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import type { Preflight } from './preflight.ts';

const MIB = 1024 * 1024;

/** What the server says of the machine; whatever it does not say is unknown. */
export function postureOf({ version, machine }: Preflight): SandboxPosture {
  const { network, mounts, memoryMb, cpus } = machine;
  return {
    engine: 'smolvm',
    engineVersion: version,
    network: network === undefined || network === null ? 'unknown' : network ? 'host' : 'none',
    ...(mounts ? {} : { filesUnknown: true }),
    mounts: (mounts ?? []).map(({ source, target, readonly }) => ({
      source,
      target,
      access: readonly ? 'read-only' : 'read-write',
    })),
    user: 'unknown: the machine’s image decides',
    limits: {
      memoryBytes: memoryMb === undefined || memoryMb === null ? 'unknown' : memoryMb * MIB,
      processes: 'unknown',
      openFiles: 'unknown',
      cpuPercent: cpus === undefined || cpus === null ? 'unknown' : cpus * 100,
      homeBytes: 'unknown',
      tmpBytes: 'unknown',
      enforcedBy: 'the virtual machine',
    },
    recorded: false,
  };
}
