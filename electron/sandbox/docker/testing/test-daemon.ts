import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Docker from 'dockerode';
import type { ContainerSettings } from '../../../../shared/settings/engine-settings.ts';
import { processesWith } from '../../testing/sandbox-shell.ts';
import { settledWithin, waitUntil } from '../../wait.ts';
import { DockerClient } from '../client.ts';
import { resolveEndpoint } from '../endpoint.ts';
import { importTestImage, TEST_IMAGE } from './test-image.ts';

export type DaemonKind = 'Docker' | 'Podman';

/** Milliseconds until a daemon must answer. */
const START_MS = 30_000;
const STOP_MS = 20_000;

/** What each needs, beside busybox-static. */
const PROGRAMS: Readonly<Record<DaemonKind, readonly string[]>> = {
  Docker: ['dockerd', 'containerd', 'runc', 'runsc'],
  Podman: ['podman', 'conmon', 'runc', 'catatonit'],
};

/**
 * Why a daemon of one's own cannot be run here, or null. On Debian as root it must be possible: the test command has installed
 * what is needed, and where it has not, that is a failure and no reason to skip.
 */
export function daemonObstacle(kind: DaemonKind): string | null {
  return obstacleOf(kind, PROGRAMS[kind]);
}

/** The same for a daemon that needs these programs. */
export function obstacleOf(kind: DaemonKind, programs: readonly string[]): string | null {
  if (process.platform !== 'linux') return `${kind} is run on Linux only`;
  if (process.getuid?.() !== 0) return `a ${kind} of the tests’ own needs root`;
  if (existsSync('/etc/debian_version')) return null;
  const missing = [
    ...programs.filter((name) => !isOnPath(name)),
    ...(existsSync('/bin/busybox') ? [] : ['busybox']),
  ];
  return missing.length === 0 ? null : `missing: ${missing.join(', ')}`;
}

/** Programs of /usr/libexec and /usr/sbin count as well. */
function isOnPath(name: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/libexec/podman'];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** A daemon with folders and a socket of its own, and the test image in it. It changes nothing else of the machine. */
export class TestDaemon {
  readonly kind: DaemonKind;
  readonly folder: string;
  readonly address: string;
  readonly #process: ChildProcess;

  private constructor(kind: DaemonKind, folder: string, process_: ChildProcess) {
    this.kind = kind;
    this.folder = folder;
    this.address = `unix://${join(folder, 'socket')}`;
    this.#process = process_;
  }

  static async start(kind: DaemonKind): Promise<TestDaemon> {
    // Short: the path of a socket has at most 107 bytes.
    const folder = mkdtempSync(join(tmpdir(), 'airlock-daemon-'));
    const [program, args] = kind === 'Docker' ? dockerd(folder) : podman(folder);
    const log = openSync(join(folder, 'log'), 'a');
    // Ends with the tests, however they end. In its folder: conmon leaves a file where it was started when a container ran out of memory.
    const process_ = spawn('setpriv', ['--pdeathsig', 'TERM', program, ...args], {
      cwd: folder,
      env: { ...process.env, CONTAINERS_REGISTRIES_CONF: registriesOf(folder) },
      stdio: ['ignore', log, log],
    });
    const daemon = new TestDaemon(kind, folder, process_);
    try {
      await awaitDaemon(process_, join(folder, 'socket'));
      await importTestImage(join(folder, 'socket'), folder);
      return daemon;
    } catch (error) {
      const words = readFileSync(join(folder, 'log'), 'utf8').slice(-2_000);
      await daemon.stop();
      throw new Error(`${kind} could not be started: ${String(error)}\n${words}`);
    }
  }

  get settings(): ContainerSettings {
    return { endpoint: this.address, certificates: null, image: TEST_IMAGE, runtime: 'default' };
  }

  client(): Promise<DockerClient> {
    return DockerClient.connect(
      resolveEndpoint({ endpoint: this.address, certificates: null }, 'container', {}),
    );
  }

  /** A container that sleeps, made by somebody else. Resolves with its id. */
  async runContainer(labels: Record<string, string> = {}, bounds: object = {}): Promise<string> {
    const docker = new Docker({ socketPath: join(this.folder, 'socket') });
    const nproc = this.kind === 'Podman' ? [{ Name: 'nproc', Soft: 4_096, Hard: 4_096 }] : [];
    const container = await docker.createContainer({
      Image: TEST_IMAGE,
      Labels: labels,
      Cmd: ['/bin/sh', '-c', 'while :; do sleep 1000; done'],
      HostConfig: {
        ...{ NetworkMode: 'none', Init: true, PidsLimit: 140, Memory: 128 * 1024 * 1024 },
        Ulimits: [{ Name: 'nofile', Soft: 256, Hard: 256 }, ...nproc],
        ...bounds,
      },
    });
    await container.start();
    return container.id;
  }

  async stop(): Promise<void> {
    await this.#removeContainers();
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exited = once(this.#process, 'exit');
      this.#process.kill('SIGTERM');
      if (!(await settledWithin(exited, STOP_MS))) this.#process.kill('SIGKILL');
    }
    // Podman cleans up after its containers in processes of their own, which would make the folder anew.
    await waitUntil(() => processesWith(this.folder).length === 0, STOP_MS);
    unmountBelow(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Or their processes would outlive the daemon. */
  async #removeContainers(): Promise<void> {
    const docker = new Docker({ socketPath: join(this.folder, 'socket') });
    const containers = await docker.listContainers({ all: true }).catch(() => []);
    for (const { Id } of containers) await docker.getContainer(Id).remove({ force: true });
  }
}

/** Resolves when the daemon of this process answers at its socket; rejects when it ends before, or takes too long. */
export async function awaitDaemon(process_: ChildProcess, socket: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (!(await answers(socket))) {
    if (process_.exitCode !== null) throw new Error('it ended');
    if (performance.now() > deadline) throw new Error('it does not answer');
    await delay(50);
  }
}

/** What a daemon leaves mounted: its name for the network of the machine, and everything when it was killed. */
function unmountBelow(folder: string): void {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '');
  for (const path of mounts.filter((mount) => mount.startsWith(`${folder}/`)).reverse())
    spawnSync('umount', ['-l', path]);
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const ping = request({ socketPath, path: '/_ping' }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    ping.on('error', () => resolve(false));
    ping.end();
  });
}

function dockerd(folder: string): [string, string[]] {
  const config = join(folder, 'daemon.json');
  writeFileSync(
    config,
    JSON.stringify({
      runtimes: { runsc: { path: '/usr/bin/runsc', runtimeArgs: ['--network=none'] } },
      // Between two it would wait for seconds.
      'max-download-attempts': 1,
    }),
  );
  return [
    '/usr/sbin/dockerd',
    [
      ...[
        '--config-file',
        config,
        '--pidfile',
        join(folder, 'pid'),
        '-H',
        `unix://${join(folder, 'socket')}`,
      ],
      ...['--iptables=false', '--ip6tables=false', '--bridge=none', '--storage-driver=vfs'],
      ...['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')],
    ],
  ];
}

/** What Podman knows of registries: to trust this machine's own, as Docker does unasked. */
function registriesOf(folder: string): string {
  return join(folder, 'registries.conf');
}

function podman(folder: string): [string, string[]] {
  mkdirSync(join(folder, 'run'));
  writeFileSync(registriesOf(folder), '[[registry]]\nlocation = "127.0.0.1"\ninsecure = true\n');
  return [
    'podman',
    [
      ...['--root', join(folder, 'data'), '--runroot', join(folder, 'run'), '--tmpdir', join(folder, 'tmp')],
      ...['--runtime', 'runc', '--storage-driver', 'vfs', '--cgroup-manager', 'cgroupfs'],
      ...['system', 'service', '--time', '0', `unix://${join(folder, 'socket')}`],
    ],
  ];
}
