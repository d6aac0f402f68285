import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A socket that leads to a daemon's, until the way is cut. */
export class Relay {
  readonly path: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #isCut = false;

  private constructor(target: string, path: string) {
    this.path = path;
    this.#server = createServer((near) => {
      if (this.#isCut) {
        near.destroy();
        return;
      }
      const far = connect(target);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#open.add(one);
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#open.delete(one);
          other.end();
        });
      }
    });
  }

  static async start(target: string, path: string): Promise<Relay> {
    const relay = new Relay(target, path);
    relay.#server.listen(path);
    await once(relay.#server, 'listening');
    return relay;
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
}
