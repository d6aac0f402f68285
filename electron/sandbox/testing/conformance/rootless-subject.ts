import { join } from 'node:path';
import { DockerClient } from '../../docker/client.ts';
import { resolveEndpoint } from '../../docker/endpoint.ts';
import { Relay } from '../../docker/testing/relay.ts';
import { PERSON, RootlessDaemon, rootlessObstacle } from '../../docker/testing/rootless-daemon.ts';
import type { DaemonKind } from '../../docker/testing/test-daemon.ts';
import { become } from '../become.ts';
import { EXCUSED_OF_PODMAN, runningContainers } from './container-subjects.ts';
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
  return {
    ...(await runningContainers({ client, relay, folder, runtime: 'default' })),
    // Docker's is the network of its own namespaces, which it has none for here.
    networkOn: kind === 'Docker' ? null : { network: 'host' },
    // Nobody has delegated control groups to it.
    unbounded: kind === 'Docker' ? ['memory', 'processes'] : ['memory'],
    tails: { runs: 6, atOnce: 6 },
    sizesLag: kind === 'Podman',
    stop: async () => {
      relay.close();
      await daemon.stop();
    },
  };
}
