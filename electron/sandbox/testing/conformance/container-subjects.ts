import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DockerClient } from '../../docker/client.ts';
import { LABELS } from '../../docker/labels.ts';
import { Relay } from '../../docker/testing/relay.ts';
import { type DaemonKind, daemonObstacle, TestDaemon } from '../../docker/testing/test-daemon.ts';
import type { SandboxTerminal } from '../../engine.ts';
import { engineFor } from './lone-engines.ts';
import type { RunningSubject, Subject } from './subject.ts';

export const EXCUSED_OF_PODMAN = {
  'B29 Ctrl-Z stops a program, and fg goes on with it':
    'the init of Podman, catatonit, starts programs with SIGTSTP blocked',
} as const;

/**
 * Containers of a daemon that is started for them. On gVisor each write to the terminal takes 50 to 75 µs (runsc of December 2022,
 * `ptrace`): lines of 32 bytes come at 0.9 MB/s, pieces of 64 KiB at 13 to 22 MB/s, in Docker alone at 19 and 24 to 27.
 */
export function containerSubject(kind: DaemonKind, runtime: 'default' | 'runsc'): Subject {
  return {
    name: runtime === 'runsc' ? `gVisor in ${kind}` : kind,
    obstacle: () => daemonObstacle(kind),
    excused: kind === 'Podman' ? EXCUSED_OF_PODMAN : {},
    start: () => start(kind, runtime),
  };
}

async function start(kind: DaemonKind, runtime: 'default' | 'runsc'): Promise<RunningSubject> {
  const daemon = await TestDaemon.start(kind);
  const relay = await Relay.start(join(daemon.folder, 'socket'), join(daemon.folder, 'relay'));
  const client = await daemon.client();
  const folder = mkdtempSync(join(tmpdir(), 'airlock-containers-'));
  return {
    ...(await runningContainers({ client, relay, folder, runtime })),
    // gVisor is registered without a network of its own.
    networkOn: runtime === 'runsc' ? null : { network: 'host' },
    unbounded: [],
    tails: { runs: 100, atOnce: 6 },
    sizesLag: kind === 'Podman',
    stop: async () => {
      relay.close();
      await daemon.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What holds whoever runs the daemon behind `relay`. `folder` is Airlock's own. */
export async function runningContainers({
  client,
  relay,
  folder,
  runtime,
}: {
  readonly client: DockerClient;
  readonly relay: Relay;
  readonly folder: string;
  readonly runtime: 'default' | 'runsc';
}) {
  const args = [`unix://${relay.path}`, runtime, folder];
  return {
    ...(await engineFor('container', args)),
    connects: (address: string, port: number) => `nc -w 1 ${address} ${port} </dev/null 2>/dev/null`,
    lose: async ({ ended }: SandboxTerminal) => {
      relay.cut();
      await ended;
      relay.restore();
    },
    leftovers: async () => [
      ...(await client.containers(LABELS.session)).map(({ Id }) => `container ${Id}`),
      ...readdirSync(join(folder, 'container-out')).map((name) => `/out folder ${name}`),
    ],
    hostArguments: ['container', ...args],
  };
}

const FOREIGN = 'another container is responsible for that: it is left as its maker made it';

/** A program in a container that runs already. */
export function attachSubject(kind: DaemonKind): Subject {
  return {
    name: `a running container of ${kind}`,
    obstacle: () => daemonObstacle(kind),
    excused: {
      'is no privileged user, and cannot write to its system': FOREIGN,
      'bounds /tmp and the home folder': FOREIGN,
    },
    start: () => startAttached(kind),
  };
}

async function startAttached(kind: DaemonKind): Promise<RunningSubject> {
  const daemon = await TestDaemon.start(kind);
  const relay = await Relay.start(join(daemon.folder, 'socket'), join(daemon.folder, 'relay'));
  const container = await daemon.runContainer();
  const args = [`unix://${relay.path}`, container];
  return {
    ...(await engineFor('attach', args)),
    connects: (address, port) => `nc -w 1 ${address} ${port} </dev/null 2>/dev/null`,
    networkOn: null,
    unbounded: [],
    tails: { runs: 100, atOnce: 6 },
    sizesLag: kind === 'Podman',
    lose: async ({ ended }) => {
      relay.cut();
      await ended;
      relay.restore();
    },
    leftovers: async () => [],
    hostArguments: ['attach', ...args],
    stop: async () => {
      relay.close();
      await daemon.stop();
    },
  };
}
