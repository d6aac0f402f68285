import { BubblewrapEngine } from '../../bubblewrap/engine.ts';
import type { RunningSubject } from './subject.ts';

type LoneEngine = Pick<RunningSubject, 'engine' | 'profile' | 'shell'>;

/** Engines as another process makes them, from arguments: that a daemon's socket is known is enough to find what was left. */
const ENGINES: Readonly<Record<string, (args: readonly string[]) => LoneEngine | Promise<LoneEngine>>> = {
  bubblewrap: () => ({
    engine: new BubblewrapEngine({ privateFolders: [] }),
    profile: {},
    shell: ['/bin/bash', '--norc', '--noprofile'],
  }),
};

export async function engineFor(name: string, args: readonly string[]): Promise<LoneEngine> {
  const make = ENGINES[name];
  if (make === undefined) throw new Error(`No engine "${name}" is known.`);
  return make(args);
}
