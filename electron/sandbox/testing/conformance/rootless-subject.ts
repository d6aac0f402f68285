import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DockerClient } from '../../docker/client.ts';
import { resolveEndpoint } from '../../docker/endpoint.ts';
import { LABELS } from '../../docker/labels.ts';
import { Relay } from '../../docker/testing/relay.ts';
import { PERSON, RootlessDaemon, rootlessObstacle } from '../../docker/testing/rootless-daemon.ts';
import type { DaemonKind } from '../../docker/testing/test-daemon.ts';
import { become } from '../become.ts';
import { EXCUSED_OF_PODMAN } from './container-subjects.ts';
import { engineFor } from './lone-engines.ts';
import type { RunningSubject, Subject } from './subject.ts';

/**
 * Containers of a daemon without root, for the person whose daemon it is: `start` makes this process theirs, for good, so that
 * a file of tests has one such subject and no other.
 */
export function rootlessSubject(kind: DaemonKind): Subject {
  return {
    name: `${kind} without root`,
    obstacle: () => rootlessObstacle(kind),
    excused: kind === 'Podman' ? EXCUSED_OF_PODMAN : {},
    start: () => start(kind),
  };
}

async function start(kind: DaemonKind): Promise<RunningSubject> {
  const daemon = await RootlessDaemon.start(kind);
  const home = join(daemon.folder, 'home');
  become(String(PERSON.uid));
  process.env['HOME'] = home;
  const relay = await Relay.start(daemon.socket, join(home, 'relay'));
  const client = await DockerClient.connect(
    resolveEndpoint({ endpoint: daemon.address, certificates: null }, 'container', {}),
  );
  const folder = join(home, 'airlock');
  const args = [`unix://${relay.path}`, 'default', folder];
  return {
    ...(await engineFor('container', args)),
    connects: (address, port) => `nc -w 1 ${address} ${port} </dev/null 2>/dev/null`,
    // Docker's is the network of its own namespaces, which it has none for here.
    networkOn: kind === 'Docker' ? null : { network: 'host' },
    // Nobody has delegated control groups to it.
    unbounded: kind === 'Docker' ? ['memory', 'processes'] : ['memory'],
    tails: { runs: 6, atOnce: 6 },
    lose: async ({ ended }) => {
      relay.cut();
      await ended;
      relay.restore();
    },
    leftovers: async () => [
      ...(await client.containers(LABELS.session)).map(({ Id }) => `container ${Id}`),
      ...readdirSync(join(folder, 'container-out')).map((name) => `/out folder ${name}`),
    ],
    hostArguments: ['container', ...args],
    stop: async () => {
      relay.close();
      await daemon.stop();
    },
  };
}
