import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { CONNECTIONS_MAX, CONTROL_MESSAGE_MAX_BYTES } from '../../shared/terminal/limits.ts';
import type { Carrier } from '../connection/carrier.ts';
import type { Connection } from '../connection/connection.ts';
import { webSocketCarrier } from '../connection/websocket-carrier.ts';
import { type ServePage, servePage } from './page-files.ts';
import { CONNECTION_PATH, checkHost, isOwnOrigin, siblingOrigin } from './request-check.ts';
import { securityHeaders } from './security-headers.ts';

/** Loopback only: whoever wants more reaches it through a tunnel that authenticates. */
const ADDRESS = '127.0.0.1';
/** Milliseconds for the headers of a request. */
const HEADERS_TIMEOUT_MS = 5_000;
const SOCKETS_MAX = 256;

export interface ServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Folder of the built page. */
  readonly pageFolder: string;
  /** Makes a connection of a client's carrier. */
  readonly connect: (carrier: Carrier) => Connection;
}

/** HTTP and WebSocket on loopback: the page's files for everybody, connections for who is let in. */
export class HttpHost {
  readonly port: number;
  /** Port of the approval page, which this page embeds; null while there is none. */
  approvalPort: number | null = null;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #connections = new Set<Connection>();
  readonly #page: ServePage;
  readonly #connect: (carrier: Carrier) => Connection;

  /** Rejects with the system's error (EADDRINUSE, EACCES, …). */
  static async listen(options: ServerOptions): Promise<HttpHost> {
    const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: HEADERS_TIMEOUT_MS });
    server.maxConnections = SOCKETS_MAX;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, ADDRESS, () => resolve());
    });
    return new HttpHost(server, options);
  }

  private constructor(server: Server, { pageFolder, connect }: ServerOptions) {
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#connect = connect;
    this.#page = servePage(pageFolder);
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: CONTROL_MESSAGE_MAX_BYTES,
      perMessageDeflate: false,
      clientTracking: false,
    });
    server.on('request', (request, response) => this.#onRequest(request, response));
    server.on('upgrade', (request, socket, head) => this.#onUpgrade(request, socket, head));
  }

  /** Stops listening and cuts every socket; the connections' sessions are released by their owner. */
  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    return closed;
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const host = checkHost(request, this.port);
    if (!host.ok) {
      answer(response, 421, host.reason);
      return;
    }
    const approvalOrigin = this.approvalPort === null ? null : siblingOrigin(host.host, this.approvalPort);
    for (const [name, value] of Object.entries(securityHeaders(host.host, approvalOrigin))) {
      response.setHeader(name, value);
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      answer(response, 405, 'Only GET and HEAD are answered here.');
      return;
    }
    this.#page(request, response, () => answer(response, 404, 'There is no such page.'));
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const refusal = this.#refusalOf(request);
    if (refusal !== null) {
      refuse(socket, refusal);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = this.#connect(webSocketCarrier(webSocket));
      this.#connections.add(connection);
      void connection.closed.then(() => this.#connections.delete(connection));
    });
  }

  #refusalOf(request: IncomingMessage): string | null {
    const host = checkHost(request, this.port);
    if (!host.ok) return '421 Misdirected Request';
    if (!isOwnOrigin(request, host.host)) return '403 Forbidden';
    if (request.url !== CONNECTION_PATH) return '404 Not Found';
    return this.#isFull() ? '503 Service Unavailable' : null;
  }

  #isFull(): boolean {
    const all = [...this.#connections];
    const open = all.filter((connection) => connection.isOpen).length;
    // Those that have ended stay until their sessions are released: tabs that load again must not wait for that.
    const greeting = all.filter((connection) => connection.isArriving).length;
    return open >= CONNECTIONS_MAX.signedIn || greeting >= CONNECTIONS_MAX.greeting;
  }
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

/** Does not wait for the other end to close as well: one that never does would keep its place, and the host from ending. */
function refuse(socket: Duplex, status: string): void {
  const text = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  socket.end(text, () => socket.destroy());
}
