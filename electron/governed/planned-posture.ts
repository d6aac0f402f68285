import type { Profile } from '../../shared/settings/schema.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';

const MIB = 1024 * 1024;

/** What a worker of this profile will be held to (E14). Until it runs nothing was applied: no limit is claimed. */
export function plannedPosture({ engine, network, limits }: Profile): SandboxPosture {
  return {
    engine,
    engineVersion: '',
    network,
    mounts: [],
    user: '',
    limits: {
      memoryBytes: limits.memoryMiB * MIB,
      processes: limits.processes,
      openFiles: limits.openFiles,
      cpuPercent: limits.cpuPercent,
      homeBytes: limits.homeMiB * MIB,
      tmpBytes: limits.tmpMiB * MIB,
      enforcedBy: 'asked for; applied when the first command starts the sandbox',
    },
    recorded: false,
  };
}

/** The facts that an approver reads. */
export function postureWords({ network, mounts, limits }: SandboxPosture): string[] {
  const words = [
    network === 'none' ? 'No network' : 'Network: everything that the machine it runs on can reach',
  ];
  for (const { source, target, access } of mounts) words.push(`${target} is ${source}, ${access}`);
  if (mounts.length === 0) words.push('No files of this machine besides the grants');
  if (typeof limits.memoryBytes === 'number')
    words.push(`Memory ${Math.round(limits.memoryBytes / MIB)} MiB`);
  if (typeof limits.processes === 'number') words.push(`${limits.processes} processes`);
  return words;
}
