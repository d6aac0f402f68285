import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { settledWithin } from '../../wait.ts';
import { awaitDaemon, type DaemonKind, obstacleOf } from './test-daemon.ts';
import { importTestImage } from './test-image.ts';

/** The ordinary user whose daemon it is: no user of the machine, and known to the daemon alone. */
export const PERSON = { uid: 51_717, gid: 51_717 } as const;

/** Users that are the person's to give to containers. */
const SUBORDINATES = '524288:65536';

const STOP_MS = 20_000;

const OTHERS_MAY_ENTER = 0o1;

/** What each needs, beside busybox-static. */
const PROGRAMS: Readonly<Record<DaemonKind, readonly string[]>> = {
  Docker: ['dockerd', 'containerd', 'runc', 'rootlesskit', 'newuidmap', 'catatonit'],
  Podman: ['podman', 'conmon', 'crun', 'newuidmap', 'catatonit'],
};

/** Why a daemon without root cannot be run here, and tests as the person, or null. As `daemonObstacle`. */
export function rootlessObstacle(kind: DaemonKind): string | null {
  const obstacle = obstacleOf(kind, PROGRAMS[kind]);
  if (obstacle !== null) return obstacle;
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder))
    if ((statSync(folder).mode & OTHERS_MAY_ENTER) === 0) return `${folder} is closed to an ordinary user`;
  return null;
}

/**
 * Runs the daemon with the names of the person and its subordinates, in namespaces of its own, so that nothing of the machine is
 * changed and nothing is left. Arguments: the folder, and the daemon's command. It ends with the standard input, which nobody writes.
 *
 * Control groups are of version 2, and nobody has delegated any: nothing of a container can be bounded by them.
 */
const INSIDE = `
  set -e
  mount --make-rshared /
  umount -R /sys/fs/cgroup
  mount -t cgroup2 none /sys/fs/cgroup
  for file in passwd group subuid subgid; do
    [ -e "/etc/$file" ]
    mount --bind "$1/etc/$file" "/etc/$file"
  done
  folder=$1; shift
  cd "$folder/home"
  setpriv --reuid ${PERSON.uid} --regid ${PERSON.gid} --clear-groups \\
    env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="$folder/home" XDG_RUNTIME_DIR="$folder/run" "$@" </dev/null &
  read -r _ || exit 0`;

/** The folder has files of users that only root can remove. */
const OUTSIDE = `
  unshare --mount --propagation private --pid --fork --kill-child --mount-proc -- catatonit -- sh -c "$0" airlock "$@"
  rm -rf -- "$1"`;

/** A daemon without root, and the test image in it. The process may become the person meanwhile. */
export class RootlessDaemon {
  /** What the person may write below: `home` is their own. */
  readonly folder: string;
  readonly socket: string;
  readonly #process: ChildProcess;

  private constructor(folder: string, process_: ChildProcess) {
    this.folder = folder;
    this.socket = socketIn(folder);
    this.#process = process_;
  }

  get address(): string {
    return `unix://${this.socket}`;
  }

  static async start(kind: DaemonKind): Promise<RootlessDaemon> {
    const folder = mkdtempSync(join(tmpdir(), 'airlock-rootless-'));
    chmodSync(folder, 0o755);
    for (const name of ['home', 'run']) {
      mkdirSync(join(folder, name), { mode: 0o700 });
      chownSync(join(folder, name), PERSON.uid, PERSON.gid);
    }
    writeNames(folder);
    const log = openSync(join(folder, 'log'), 'a');
    const command = kind === 'Docker' ? dockerd(folder) : podman(folder);
    const process_ = spawn('sh', ['-c', OUTSIDE, INSIDE, folder, ...command], {
      stdio: ['pipe', log, log],
    });
    const daemon = new RootlessDaemon(folder, process_);
    try {
      await awaitDaemon(process_, daemon.socket);
      await importTestImage(daemon.socket, folder);
      return daemon;
    } catch (error) {
      const words = readFileSync(join(folder, 'log'), 'utf8').slice(-2_000);
      await daemon.stop();
      throw new Error(`${kind} without root could not be started: ${String(error)}\n${words}`);
    }
  }

  async stop(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.stdin?.end();
    if (!(await settledWithin(exited, STOP_MS))) throw new Error('The daemon without root did not end.');
  }
}

function socketIn(folder: string): string {
  return join(folder, 'run/socket');
}

function writeNames(folder: string): void {
  const { uid, gid } = PERSON;
  const etc = join(folder, 'etc');
  mkdirSync(etc);
  const names = {
    passwd: `root:x:0:0::/root:/bin/sh\nperson:x:${uid}:${gid}::${folder}/home:/bin/sh\n`,
    group: `root:x:0:\nperson:x:${gid}:\n`,
    subuid: `person:${SUBORDINATES}\n`,
    subgid: `person:${SUBORDINATES}\n`,
  };
  for (const [name, text] of Object.entries(names)) writeFileSync(join(etc, name), text);
}

function podman(folder: string): string[] {
  return [
    ...['podman', '--storage-driver', 'vfs', '--cgroup-manager', 'cgroupfs', '--runtime', 'crun'],
    ...['--events-backend', 'none', 'system', 'service', '--time', '0', `unix://${socketIn(folder)}`],
  ];
}

/** Without a network of its own, for which it would need devices of the machine. */
function dockerd(folder: string): string[] {
  const [run, home] = [join(folder, 'run'), join(folder, 'home')];
  const kit = 'DOCKERD_ROOTLESS_ROOTLESSKIT';
  return [
    ...['env', `${kit}_NET=host`, `${kit}_PORT_DRIVER=none`, `${kit}_MTU=0`],
    ...['/usr/share/docker.io/contrib/dockerd-rootless.sh', '-H', `unix://${socketIn(folder)}`],
    ...['--iptables=false', '--ip6tables=false', '--bridge=none', '--storage-driver=vfs'],
    ...['--data-root', join(home, 'data'), '--exec-root', join(run, 'exec'), '--pidfile', join(run, 'pid')],
  ];
}
