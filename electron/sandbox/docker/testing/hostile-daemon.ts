import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What is sent for the first line of a request, such as "GET /_ping HTTP/1.1". */
type Answer = (line: string, socket: Socket) => void;

/** Something that listens where a daemon would, and answers as a test says, byte by byte. */
export class HostileDaemon {
  readonly address: string;
  /** First lines of the requests, in order. */
  readonly asked: string[] = [];
  readonly #folder: string;
  readonly #server: Server;

  private constructor(answer: Answer) {
    this.#folder = mkdtempSync(join(tmpdir(), 'airlock-hostile-'));
    this.address = `unix://${join(this.#folder, 'socket')}`;
    this.#server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (head: Buffer) => {
        const [line = ''] = head.toString('latin1').split('\r\n', 1);
        this.asked.push(line);
        answer(line, socket);
      });
    });
  }

  static async start(answer: Answer): Promise<HostileDaemon> {
    const daemon = new HostileDaemon(answer);
    daemon.#server.listen(join(daemon.#folder, 'socket'));
    await once(daemon.#server, 'listening');
    return daemon;
  }

  close(): void {
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export function httpAnswer(body: unknown, status = '200 OK', headers: readonly string[] = []): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const length = `Content-Length: ${Buffer.byteLength(text)}`;
  return [`HTTP/1.1 ${status}`, length, 'Connection: close', ...headers, '', text].join('\r\n');
}

/** What Docker says to a ping. */
export const PONG = httpAnswer('OK', '200 OK', ['Api-Version: 1.47', 'Server: Docker/27.0.0 (linux)']);
