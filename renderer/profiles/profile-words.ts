import type { Profile } from '../../shared/settings/schema.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';
import { type PostureFact, postureFacts } from '../workspace/posture-words.ts';

const MIB = 1024 ** 2;

/** What a session of this profile will be let do, in the words that its pane will use. */
export function profileFacts(profile: Profile): PostureFact[] {
  return postureFacts(wishedPosture(profile));
}

/** The posture that a profile asks for; a session's own comes from the engine that applied it. */
function wishedPosture({ network, project, scratch, limits, engine }: Profile): SandboxPosture {
  return {
    engine,
    engineVersion: '',
    network,
    mounts: [
      ...(scratch === null
        ? []
        : [{ source: scratch, target: '/work/scratch', access: 'read-write' as const }]),
      ...(project === null
        ? []
        : [{ source: project, target: '/work/project', access: 'read-only' as const }]),
    ],
    user: '',
    limits: {
      memoryBytes: limits.memoryMiB * MIB,
      processes: limits.processes,
      openFiles: limits.openFiles,
      cpuPercent: limits.cpuPercent,
      homeBytes: limits.homeMiB * MIB,
      tmpBytes: limits.tmpMiB * MIB,
      enforcedBy: '',
    },
    recorded: false,
  };
}
