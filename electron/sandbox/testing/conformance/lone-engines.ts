import {
  type ContainerSettings,
  microvmSettingsSchema,
} from '../../../../shared/settings/engine-settings.ts';
import { sandboxLimitsSchema } from '../../../../shared/settings/schema.ts';
import { AttachEngine } from '../../attach/engine.ts';
import { BubblewrapEngine } from '../../bubblewrap/engine.ts';
import { ContainerEngine } from '../../container/engine.ts';
import { TEST_IMAGE } from '../../docker/testing/test-image.ts';
import { MicrovmEngine } from '../../microvm/engine.ts';
import type { RunningSubject } from './subject.ts';

type LoneEngine = Pick<RunningSubject, 'engine' | 'profile' | 'shell'>;

/** Engines as another process makes them, from arguments: that a daemon's socket is known is enough to find what was left. */
const ENGINES: Readonly<Record<string, (args: readonly string[]) => LoneEngine | Promise<LoneEngine>>> = {
  bubblewrap: () => ({
    engine: new BubblewrapEngine({ privateFolders: [] }),
    profile: {},
    shell: ['/bin/bash', '--norc', '--noprofile'],
  }),
  /** A data folder with a guest. */
  microvm: ([dataDir = '']) => ({
    engine: new MicrovmEngine({ dataDir }),
    profile: {
      limits: sandboxLimitsSchema.parse({ memoryMiB: 160, cpuPercent: 100 }),
      microvm: microvmSettingsSchema.parse({ startupMs: 120_000 }),
    },
    shell: ['/bin/bash', '--norc', '--noprofile'],
  }),
  /** The address of a daemon, and a container that runs there. */
  attach: ([endpoint = '', container = '']) => ({
    engine: new AttachEngine(),
    profile: { attach: { endpoint, certificates: null, container } },
    shell: ['/bin/sh'],
  }),
  /** The address of a daemon that has the test image, the runtime, and a folder for Airlock's data. */
  container: ([endpoint = '', runtime = '', folder = '']) => ({
    engine: new ContainerEngine({ privateFolders: [folder] }),
    profile: {
      container: {
        ...{ endpoint, certificates: null, image: TEST_IMAGE },
        runtime: runtime as ContainerSettings['runtime'],
      },
    },
    shell: ['/bin/sh'],
  }),
};

export async function engineFor(name: string, args: readonly string[]): Promise<LoneEngine> {
  const make = ENGINES[name];
  if (make === undefined) throw new Error(`No engine "${name}" is known.`);
  return make(args);
}
