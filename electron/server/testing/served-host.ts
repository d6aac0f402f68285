import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { WebSocket } from 'ws';
import { clientOverSocket, type TestClient } from '../../connection/testing/test-client.ts';
import { TestHost } from '../../connection/testing/test-host.ts';
import type { SandboxEngine } from '../../sandbox/engine.ts';
import { HttpHost } from '../server.ts';
import { SignIn } from '../sign-in.ts';
import { launchWith } from './launch.ts';

export interface Response {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

const PAGE = {
  'index.html': '<!doctype html><title>Airlock</title>',
  'assets/main-1a2b.js': 'export {};',
  'assets/main-1a2b.css': 'body {}',
  'assets/font-1a2b.woff2': 'font',
};

/** A host on a real port with a small page, as `airlock serve` composes it. */
export class ServedHost {
  readonly fixture: TestHost;
  readonly signIn = new SignIn();
  readonly pageFolder = mkdtempSync(join(tmpdir(), 'airlock-page-'));
  http!: HttpHost;

  static async start(engine: SandboxEngine): Promise<ServedHost> {
    const served = new ServedHost(engine);
    served.http = await HttpHost.listen({
      port: 0,
      pageFolder: served.pageFolder,
      connect: (carrier) =>
        served.fixture.host.connect(carrier, (hello) => served.signIn.authenticate(hello)),
    });
    return served;
  }

  private constructor(engine: SandboxEngine) {
    this.fixture = new TestHost(engine);
    for (const [name, content] of Object.entries(PAGE)) {
      mkdirSync(dirname(join(this.pageFolder, name)), { recursive: true });
      writeFileSync(join(this.pageFolder, name), content);
    }
  }

  get origin(): string {
    return `http://127.0.0.1:${this.http.port}`;
  }

  /** A request as it is written: no client tidies up its path or its headers. */
  get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: this.http.port, path, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode as number, headers: response.headers, body });
        });
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  /** Resolves to the socket when it is open, to the status of the answer when it was refused. */
  upgrade(headers: Record<string, string> = {}, path = '/connection'): Promise<WebSocket | number> {
    return new Promise((resolve, reject) => {
      const url = `ws://127.0.0.1:${this.http.port}${path}`;
      const socket = new WebSocket(url, { headers: { Origin: this.origin, ...headers } });
      socket.on('open', () => resolve(socket));
      socket.on('error', reject);
      socket.on('unexpected-response', (_request, response) => {
        response.destroy();
        resolve(response.statusCode as number);
      });
    });
  }

  /** A client whose socket is open and that has not greeted yet. */
  async connect(): Promise<{ client: TestClient; socket: WebSocket }> {
    const socket = await this.upgrade();
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
    return { client: clientOverSocket(socket), socket };
  }

  /** What a page has that was opened by a fresh address. */
  launch(): { token: string; key: string } {
    return launchWith(this.signIn.issueToken());
  }

  async client(): Promise<TestClient> {
    const { client } = await this.connect();
    await client.hello(this.launch());
    return client;
  }

  async dispose(): Promise<void> {
    await this.fixture.dispose();
    await this.http.close();
    rmSync(this.pageFolder, { recursive: true });
  }
}
