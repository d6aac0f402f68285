import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A request that a relay keeps back. */
export interface HeldRequest {
  readonly arrived: Promise<void>;
  /** Passes it on, whether its client still waits or has left; resolves when the daemon has answered. */
  letGo(): Promise<void>;
}

/** A socket that leads to a daemon's, until the way is cut. */
export class Relay {
  readonly path: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  /** By words of the first lines of requests that are kept back: how each is kept, with the daemon's end. */
  readonly #holds = new Map<string, (far: Socket) => Promise<void>>();
  #isCut = false;

  private constructor(target: string, path: string) {
    this.path = path;
    this.#server = createServer((near) => this.#lead(near, connect(target)));
  }

  static async start(target: string, path: string): Promise<Relay> {
    const relay = new Relay(target, path);
    relay.#server.listen(path);
    await once(relay.#server, 'listening');
    return relay;
  }

  /** Keeps the next request back that has these words in its first line. */
  hold(words: string): HeldRequest {
    const arrived = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    this.#holds.set(words, (far) => {
      arrived.resolve();
      far.once('data', () => answered.resolve());
      return gone.promise;
    });
    return {
      arrived: arrived.promise,
      letGo: () => {
        gone.resolve();
        return answered.promise;
      },
    };
  }

  /** Ends every connection, and every new one at once. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
  }

  restore(): void {
    this.#isCut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #lead(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
    }
    if (this.#isCut) this.cut();
    const requests = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        void this.#kept(chunk, far).then(() => done(null, chunk));
      },
    });
    near.pipe(requests).pipe(far);
    near.on('error', () => far.destroy());
    near.on('close', () => {
      requests.end();
      // Read to its end, though nobody is told.
      far.resume();
    });
    far.pipe(near);
    far.on('error', () => near.destroy());
    far.on('close', () => near.end());
  }

  async #kept(chunk: Buffer, far: Socket): Promise<void> {
    const [line = ''] = chunk.toString('latin1').split('\r\n', 1);
    for (const [words, hold] of this.#holds) {
      if (!line.includes(words)) continue;
      this.#holds.delete(words);
      await hold(far);
    }
  }
}
