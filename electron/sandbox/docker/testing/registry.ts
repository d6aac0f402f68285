import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline, Transform } from 'node:stream';
import Docker from 'dockerode';
import { waitUntil } from '../../wait.ts';
import { TEST_IMAGE } from './test-image.ts';

const START_MS = 20_000;

/** Bytes of the large layer, which cannot be made smaller. */
export const LARGE_LAYER_BYTES = 24 * 1024 * 1024;

/**
 * What becomes of the large layer, or of everything: `cut` breaks the connection in its middle, `held` waits there until it is
 * let go, `silent` takes every request and answers none.
 */
export type Delivery = 'whole' | 'cut' | 'held' | 'silent';

const PROGRAM = '/usr/bin/docker-registry';

/** Why there can be none here, or null. As for the daemons: on Debian it has been installed. */
export function registryObstacle(): string | null {
  return existsSync('/etc/debian_version') || existsSync(PROGRAM) ? null : `missing: ${PROGRAM}`;
}

/** Debian's registry of images on 127.0.0.1, which daemons trust without TLS, behind a front that can hold back what it sends. */
export class TestRegistry {
  /** As in the name of an image. */
  readonly host: string;
  /** Downloads of the large layer that were begun, and those whose daemon left before the end. */
  begun = 0;
  left = 0;
  #delivery: Delivery = 'whole';
  #letGo = Promise.withResolvers<void>();
  readonly #socketPath: string;
  readonly #process: ChildProcess;
  readonly #front: Server;

  private constructor(socketPath: string, process_: ChildProcess, front: Server) {
    this.#socketPath = socketPath;
    this.#process = process_;
    this.#front = front;
    this.host = `127.0.0.1:${(front.address() as AddressInfo).port}`;
    front.on('request', (asked, answer) => this.#pass(asked, answer));
  }

  /** Keeps its files in `folder`, which must not be there yet. */
  static async start(folder: string): Promise<TestRegistry> {
    mkdirSync(folder);
    const socketPath = join(folder, 'socket');
    const config = join(folder, 'config.yml');
    writeFileSync(
      config,
      JSON.stringify({
        version: 0.1,
        storage: { filesystem: { rootdirectory: join(folder, 'data') } },
        http: { net: 'unix', addr: socketPath, relativeurls: true },
      }),
    );
    const log = openSync(join(folder, 'log'), 'a');
    const process_ = spawn('setpriv', ['--pdeathsig', 'TERM', PROGRAM, 'serve', config], {
      stdio: ['ignore', log, log],
    });
    if (!(await waitUntil(() => existsSync(socketPath), START_MS)))
      throw new Error(`The registry could not be started: ${readFileSync(join(folder, 'log'), 'utf8')}`);
    const front = createServer().listen(0, '127.0.0.1');
    await once(front, 'listening');
    return new TestRegistry(socketPath, process_, front);
  }

  letGo(): void {
    this.#letGo.resolve();
    this.#letGo = Promise.withResolvers();
  }

  /** From now on. What is held is let go. */
  deliver(delivery: Delivery): void {
    this.letGo();
    [this.#delivery, this.begun, this.left] = [delivery, 0, 0];
  }

  async close(): Promise<void> {
    this.#front.closeAllConnections();
    this.#front.close();
    const exited = once(this.#process, 'exit');
    this.#process.kill();
    await exited;
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    if (this.#delivery === 'silent') return;
    const { method, url: path, headers } = asked;
    const upstream = request({ socketPath: this.#socketPath, method, path, headers });
    upstream.on('response', (found) => {
      answer.writeHead(found.statusCode ?? 502, found.headers);
      const isLarge = method === 'GET' && bytesOf(found) > LARGE_LAYER_BYTES;
      if (isLarge) this.#deliver(found, answer);
      else found.pipe(answer);
    });
    upstream.on('error', () => answer.destroy());
    asked.pipe(upstream);
  }

  /** The large layer, as it is to be delivered now. */
  #deliver(layer: IncomingMessage, answer: ServerResponse): void {
    const [delivery, letGo] = [this.#delivery, this.#letGo.promise];
    const half = Number(layer.headers['content-length']) / 2;
    let sent = 0;
    this.begun += 1;
    const door = new Transform({
      transform: (chunk: Buffer, _encoding, passed) => {
        sent += chunk.length;
        if (sent > half && delivery === 'cut') answer.destroy();
        const held = sent > half && delivery === 'held' ? letGo : Promise.resolve();
        void held.then(() => passed(null, chunk));
      },
    });
    pipeline(layer, door, answer, (error) => {
      if (error) this.left += 1;
    });
  }
}

/** Bytes of the whole of which this may be a part. */
function bytesOf({ headers }: IncomingMessage): number {
  return Number(headers['content-range']?.split('/')[1] ?? headers['content-length']);
}

/** Gives a registry an image of three layers, one of them large, made of the test image. Resolves with its digest. */
export async function pushLayers(socketPath: string, folder: string, name: string): Promise<string> {
  const context = join(folder, 'layers');
  mkdirSync(context);
  writeFileSync(join(context, 'large'), randomBytes(LARGE_LAYER_BYTES));
  writeFileSync(join(context, 'small'), 'small\n');
  writeFileSync(join(context, 'Dockerfile'), `FROM ${TEST_IMAGE}\nCOPY large /large\nCOPY small /small\n`);
  execFileSync('tar', ['-C', context, '-cf', `${context}.tar`, '.']);
  const docker = new Docker({ socketPath });
  await done(docker, await docker.buildImage(`${context}.tar`, { t: name, rm: true, forcerm: true }));
  const lines = await done(docker, await docker.getImage(name).push({ authconfig: {} }));
  await docker.getImage(name).remove({ force: true });
  const digest = lines.map((line) => line.aux?.Digest).find(Boolean);
  if (digest === undefined) throw new Error(`${name} was not pushed: ${JSON.stringify(lines.at(-1))}`);
  return digest;
}

interface Line {
  readonly aux?: { readonly Digest?: string };
  readonly error?: string;
}

function done(docker: Docker, progress: NodeJS.ReadableStream): Promise<Line[]> {
  return new Promise((resolve, reject) =>
    docker.modem.followProgress(progress, (error, lines: Line[]) => (error ? reject(error) : resolve(lines))),
  );
}
