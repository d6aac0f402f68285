import {
  attachSettingsSchema,
  containerSettingsSchema,
  smolvmSettingsSchema,
} from '../../shared/settings/engine-settings.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import { FOLDER_TARGETS } from '../../shared/terminal/inside.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';
import { type PostureFact, postureFacts } from '../workspace/posture-words.ts';
import { otherMachine } from './dangers.ts';
import { ENGINE_FACTS } from './engine-facts.ts';

const MIB = 1024 ** 2;

/** What a session of this profile will be let do, in the words that its pane will use; before it, what it runs in. */
export function profileFacts(profile: Profile): PostureFact[] {
  const facts = postureFacts(wishedPosture(profile));
  const own = ENGINE_FACTS[profile.engine].lacks.limits === undefined;
  const bounds = ['memory', 'processes', 'cpu'];
  return [
    ...placeFacts(profile),
    ...(own ? facts : facts.filter(({ id }) => !bounds.includes(id))),
    ...(own ? [] : [{ id: 'bounds', text: 'limits of its own', tone: 'plain' } as const]),
  ];
}

/** Where a session runs, unless that is a bubblewrap sandbox of this machine. */
function placeFacts(profile: Profile): PostureFact[] {
  const place = placeWords(profile);
  const elsewhere = otherMachine(profile);
  return [
    ...(place === null ? [] : [{ id: 'place', text: place, tone: toneOf(profile) }]),
    ...(elsewhere === null ? [] : [{ id: 'machine', text: `on ${elsewhere}`, tone: 'attention' } as const]),
  ];
}

function toneOf({ engine }: Profile): PostureFact['tone'] {
  return engine === 'attach' ? 'attention' : 'plain';
}

function placeWords(profile: Profile): string | null {
  switch (profile.engine) {
    case 'bubblewrap':
      return null;
    case 'container': {
      const { image, runtime } = containerSettingsSchema.parse(profile.container ?? {});
      return `container of ${image || 'no image yet'}${runtime === 'runsc' ? ' on gVisor' : ''}`;
    }
    case 'attach':
      return `inside container ${attachSettingsSchema.parse(profile.attach ?? {}).container || 'not chosen yet'}`;
    case 'smolvm':
      return `machine ${smolvmSettingsSchema.parse(profile.smolvm ?? {}).machine || 'not chosen yet'}`;
    case 'microvm':
      return 'micro-VM';
  }
}

/** The posture that a profile asks for; a session's own comes from the engine that applied it. */
function wishedPosture(profile: Profile): SandboxPosture {
  const { engine, limits, network } = profile;
  const { lacks } = ENGINE_FACTS[engine];
  const scratch = lacks.scratch === undefined ? profile.scratch : null;
  const project = lacks.project === undefined ? profile.project : null;
  // What was there before has folders and a network that only its engine can tell of, once it looks.
  const wasThere = engine === 'attach' || engine === 'smolvm';
  return {
    engine,
    engineVersion: '',
    network: engine === 'attach' ? 'unknown' : engine === 'microvm' ? 'none' : network,
    mounts: [
      ...(scratch === null
        ? []
        : [{ source: scratch, target: FOLDER_TARGETS.scratch, access: 'read-write' as const }]),
      ...(project === null
        ? []
        : [{ source: project, target: FOLDER_TARGETS.project, access: 'read-only' as const }]),
    ],
    ...(wasThere && { filesUnknown: true }),
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
