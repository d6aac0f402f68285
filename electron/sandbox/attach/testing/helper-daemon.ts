import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DockerClient } from '../../docker/client.ts';
import { resolveEndpoint } from '../../docker/endpoint.ts';

/** Of the container, and of all that is started in it. */
export const CONTAINER_ID = 'a'.repeat(64);

/** What is started in the container: the person's program, or a helper, by what it does. */
type Act = 'program' | 'HUP' | 'TERM' | 'KILL' | 'look';

/** What that says, as which user (null for the container's own) it is run; null where the daemon never starts it. */
export type Says = (act: Act, user: string | null) => string | null;

export const found = (count: number) => `found ${count} processes\r\n`;

/** A daemon with a container that runs; what is started there only says what a test has it say. */
export class HelperDaemon {
  readonly acts: { readonly act: Act; readonly user: string | null; readonly atMs: number }[] = [];
  /** What the daemon knows of what was started. */
  exec: object = { Running: true };
  readonly #folder = mkdtempSync(join(tmpdir(), 'airlock-helpers-'));
  readonly #server: Server;

  private constructor(says: Says) {
    this.#server = createServer(async (asked, answer) => {
      answer.setHeader('Api-Version', '1.47');
      answer.setHeader('Content-Type', 'application/json');
      answer.end(JSON.stringify(await this.#answer(asked)));
    });
    this.#server.on('upgrade', (_asked, socket) => {
      const { act, user } = this.acts.at(-1) ?? { act: 'look', user: null };
      const said = says(act, user);
      if (said === null) return;
      socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
      socket.end(said);
    });
  }

  static async start(says: Says): Promise<HelperDaemon> {
    const daemon = new HelperDaemon(says);
    daemon.#server.listen(join(daemon.#folder, 'socket'));
    await once(daemon.#server, 'listening');
    return daemon;
  }

  get endpoint(): string {
    return `unix://${join(this.#folder, 'socket')}`;
  }

  client(): Promise<DockerClient> {
    return DockerClient.connect(
      resolveEndpoint({ endpoint: this.endpoint, certificates: null }, 'attach', {}),
    );
  }

  close(): void {
    this.#server.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #answer(asked: IncomingMessage): Promise<object> {
    if (asked.url?.includes('/exec/')) return this.exec;
    if (asked.method !== 'POST')
      return { Id: CONTAINER_ID, State: { Running: true }, Config: {}, HostConfig: {} };
    const { Cmd, User = null } = JSON.parse(await text(asked)) as { Cmd: string[]; User?: string };
    const signal = /kill -(HUP|TERM|KILL)/.exec(Cmd[2] ?? '')?.[1] ?? 'look';
    const act = Cmd.includes('airlock-gate') ? 'program' : (signal as Act);
    this.acts.push({ act, user: User, atMs: performance.now() });
    return { Id: CONTAINER_ID };
  }
}
