import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { engineFor } from '../../testing/conformance/lone-engines.ts';
import type { Subject } from '../../testing/conformance/subject.ts';
import { guestDataDir, microvmObstacle } from './test-guest.ts';

/** Real machines on QEMU. */
export const MICROVM: Subject = {
  name: 'QEMU micro-VM',
  obstacle: microvmObstacle,
  excused: {},
  start: async () => {
    const dataDir = await guestDataDir();
    return {
      ...(await engineFor('microvm', [dataDir])),
      connects: (address, port) => `(: < /dev/tcp/${address}/${port}) 2>/dev/null`,
      networkOn: null,
      unbounded: [],
      // Each is a boot of some seconds: a machine runs one program, and ends with it.
      tails: { runs: 4, atOnce: 2 },
      lose: async ({ identity }) => {
        if (identity.kind === 'process') process.kill(identity.pid, 'SIGKILL');
      },
      leftovers: async () => readdirSync(join(dataDir, 'microvm')).filter((name) => name !== 'guest'),
      hostArguments: ['microvm', dataDir],
      stop: async () => {},
    };
  },
};
