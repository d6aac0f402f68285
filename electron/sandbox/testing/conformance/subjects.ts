import { findBwrap } from '../../bubblewrap/executable.ts';
import { MICROVM } from '../../microvm/testing/subject.ts';
import { SMOLVM } from '../../smolvm/testing/subject.ts';
import { attachSubject, containerSubject } from './container-subjects.ts';
import { engineFor } from './lone-engines.ts';
import type { Subject } from './subject.ts';

/** Every engine that must conform. */
export const SUBJECTS: readonly Subject[] = [
  {
    name: 'bubblewrap',
    obstacle: () => (process.platform === 'linux' && findBwrap() !== null ? null : 'bubblewrap is not here'),
    excused: {},
    start: async () => ({
      ...(await engineFor('bubblewrap', [])),
      connects: (address, port) => `(: < /dev/tcp/${address}/${port}) 2>/dev/null`,
      networkOn: { network: 'host' },
      // Who is not root may have no control group to bound memory by.
      unbounded: process.getuid?.() === 0 ? [] : ['memory'],
      tails: { runs: 100, atOnce: 4 },
      lose: async ({ identity }) => {
        if (identity.kind === 'process') process.kill(identity.pid, 'SIGKILL');
      },
      leftovers: async () => [],
      hostArguments: ['bubblewrap'],
      stop: async () => {},
    }),
  },
  containerSubject('Docker', 'default'),
  containerSubject('Docker', 'runsc'),
  containerSubject('Podman', 'default'),
  attachSubject('Docker'),
  attachSubject('Podman'),
  SMOLVM,
  MICROVM,
];
