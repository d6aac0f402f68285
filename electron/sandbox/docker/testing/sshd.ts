import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

const SSHD = '/usr/sbin/sshd';

/** Where sshd wants an empty folder, whatever its configuration says. */
const PRIVILEGE_SEPARATION = '/run/sshd';

/** Why there can be none here, or null. As for the daemons: on Debian it has been installed. */
export function sshdObstacle(): string | null {
  return existsSync('/etc/debian_version') || existsSync(SSHD) ? null : `missing: ${SSHD}`;
}

/** What the programs find that are started by ssh. */
export interface RemoteMachine {
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute paths of the programs that it has, beside a shell. */
  readonly programs: readonly string[];
}

/** OpenSSH's server for this user, on 127.0.0.1, with keys of its own: one process for each connection. */
export class TestSshd {
  readonly port: number;
  readonly #server: Server;
  readonly #pids = new Set<number>();

  private constructor(server: Server, config: string, log: number) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (socket) => this.#serve(socket, config, log));
  }

  /** `keys` is a folder that `makeKeys` made; `folder` must not be there yet. */
  static async start(keys: string, folder: string, machine: RemoteMachine): Promise<TestSshd> {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    mkdirSync(PRIVILEGE_SEPARATION, { recursive: true, mode: 0o755 });
    for (const program of ['/bin/sh', ...machine.programs])
      symlinkSync(program, join(bin, program.split('/').at(-1) ?? ''));
    const environment = Object.entries({ ...machine.environment, PATH: bin });
    const config = join(folder, 'config');
    writeFileSync(
      config,
      [
        `HostKey ${keys}/host`,
        `AuthorizedKeysFile ${keys}/mine.pub`,
        'AuthenticationMethods publickey',
        'PermitRootLogin prohibit-password',
        'StrictModes no',
        'UsePAM no',
        'PrintMotd no',
        `SetEnv ${environment.map(([name, value]) => `${name}=${value}`).join(' ')}`,
        '',
      ].join('\n'),
    );
    const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TestSshd(server, config, openSync(join(folder, 'log'), 'a'));
  }

  /** Takes no more connections, and ends those that there are without a word, as a machine does that is gone. */
  close(): void {
    this.#server.close();
    for (const pid of this.#pids) process.kill(pid, 'SIGKILL');
  }

  /** Those who are connected hear nothing any more, and are not told so; new connections are served. */
  freeze(): void {
    for (const pid of this.#pids) process.kill(pid, 'SIGSTOP');
  }

  #serve(socket: Socket, config: string, log: number): void {
    const sshd = spawn(SSHD, ['-i', '-e', '-f', config], { stdio: [socket, socket, log] });
    socket.destroy();
    const { pid } = sshd;
    if (pid === undefined) return;
    this.#pids.add(pid);
    sshd.on('exit', () => this.#pids.delete(pid));
  }
}

/** The keys of a host and of a user, and those of others. */
export function makeKeys(folder: string): void {
  mkdirSync(folder);
  for (const name of ['host', 'other-host', 'mine', 'others'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(folder, name)]);
}

interface Host {
  readonly port: number;
  /** Of the keys of `makeKeys`. */
  readonly key?: 'mine' | 'others';
  /** The key that was seen before; null where there was none. */
  readonly known?: 'host' | 'other-host' | null;
  readonly options?: readonly string[];
}

/** A person's own ssh: a program in `folder` that knows these hosts by name, and no others of this machine's. */
export class PersonalSsh {
  readonly folder: string;
  readonly #keys: string;

  constructor(keys: string, folder: string) {
    this.folder = folder;
    this.#keys = keys;
    mkdirSync(folder);
    writeFileSync(join(folder, 'known_hosts'), '');
    this.insist();
  }

  /** From now on these hold, whatever its caller says besides: ssh takes the first of several. */
  insist(...options: readonly string[]): void {
    const first = options.map((option) => `-o ${option}`).join(' ');
    const script = join(this.folder, 'ssh');
    writeFileSync(script, `#!/bin/sh\nexec /usr/bin/ssh -F '${this.folder}/config' ${first} "$@"\n`);
    chmodSync(script, 0o755);
  }

  add(name: string, { port, key = 'mine', known = 'host', options = [] }: Host): void {
    const lines = [
      ...['HostName 127.0.0.1', `Port ${port}`, `HostKeyAlias ${name}`],
      ...[`UserKnownHostsFile ${this.folder}/known_hosts`, 'GlobalKnownHostsFile none'],
      ...[`IdentityFile ${this.#keys}/${key}`, 'IdentitiesOnly yes', 'IdentityAgent none', ...options],
    ];
    appendFileSync(join(this.folder, 'config'), [`Host ${name}`, ...lines, ''].join('\n'));
    if (known === null) return;
    const publicKey = readFileSync(join(this.#keys, `${known}.pub`), 'utf8');
    appendFileSync(join(this.folder, 'known_hosts'), `${name} ${publicKey}`);
  }
}
