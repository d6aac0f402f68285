import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';

export interface Frame {
  readonly opcode: number;
  readonly fin: boolean;
  readonly masked: boolean;
  readonly payload: Buffer;
}

/** What is put on the wire; everything that a server may not send can be said. */
export interface FrameOptions {
  readonly fin?: boolean;
  /** The three reserved bits. */
  readonly rsv?: number;
  readonly masked?: boolean;
  /** Announces another length than it has. */
  readonly announced?: number;
}

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export function frame(opcode: number, payload: Uint8Array, options: FrameOptions = {}): Buffer {
  const { fin = true, rsv = 0, masked = false, announced = payload.length } = options;
  const length =
    announced < 126
      ? [announced]
      : announced < 65_536
        ? [126, announced >> 8, announced & 0xff]
        : [127, 0, 0, 0, 0, ...bigEndian32(announced)];
  const head = [
    (fin ? 0x80 : 0) | (rsv << 4) | opcode,
    (masked ? 0x80 : 0) | (length[0] ?? 0),
    ...length.slice(1),
  ];
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat([Buffer.from(head), Buffer.alloc(masked ? 4 : 0), payload]);
}

export const output = (data: string | Uint8Array) => frame(OPCODE.binary, Buffer.from(data));
export const text = (message: string) => frame(OPCODE.text, Buffer.from(message));
export const exit = (code: number) => text(`{"type":"exit","code":${code}}`);
export function close(code?: number, reason = ''): Buffer {
  const payload = code === undefined ? [] : [code >> 8, code & 0xff, ...Buffer.from(reason)];
  return frame(OPCODE.close, Buffer.from(payload));
}

function bigEndian32(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
}

export interface HttpRequest {
  readonly line: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** What a server does with one terminal, once it was upgraded. */
export type Program = (terminal: PeerTerminal) => void;

export interface PeerMachine {
  name: string;
  state: string;
  [other: string]: unknown;
}

export function machine(name: string, changes: Partial<PeerMachine> = {}): PeerMachine {
  return {
    name,
    state: 'running',
    image: 'docker.io/library/debian:12',
    branchable: false,
    cpus: 2,
    memoryMb: 1024,
    network: false,
    mounts: [],
    ports: [],
    gpu: false,
    cuda: false,
    createdAt: 1_764_460_800,
    blockIo: 'sync',
    ...changes,
  };
}

/**
 * A smolvm server on a real socket, hand-written down to the frames: it keeps to what was read of real ones (reference 2 to 5),
 * and breaks it exactly where a test says so.
 */
export class SmolvmPeer {
  version = '1.20.2';
  machines = [machine('dev')];
  /** Demanded on everything but the health, where a proxy would stand. */
  token: string | null = null;
  /** What runs in a terminal. */
  program: Program = echo;
  /** Whether it takes work. */
  ready = true;
  /** Answers an upgrade raw. False: as it would. */
  answersUpgrade: ((request: HttpRequest, socket: net.Socket) => boolean) | null = null;
  /** Answers any request raw. False: as it would. */
  answers: ((request: HttpRequest, socket: net.Socket) => boolean) | null = null;
  /** Goes out in one write with the 101. */
  withUpgrade: (() => Buffer) | null = null;
  /** Accepts, and answers nothing. */
  silent = false;
  readonly requests: HttpRequest[] = [];
  readonly terminals: PeerTerminal[] = [];
  readonly sockets = new Set<net.Socket>();
  /** Connections that were accepted; of TLS, before its handshake. */
  connections = 0;
  readonly #server: net.Server;
  readonly #waiting = new Set<() => void>();

  static async listen(where: { path: string } | { port: number } = { port: 0 }, security?: tls.TlsOptions) {
    const peer = new SmolvmPeer(security);
    peer.#server.listen('path' in where ? where : { ...where, host: '127.0.0.1' });
    await once(peer.#server, 'listening');
    return peer;
  }

  private constructor(security?: tls.TlsOptions) {
    const serve = (socket: net.Socket) => this.#serve(socket);
    this.#server = security === undefined ? net.createServer(serve) : tls.createServer(security, serve);
    this.#server.on('connection', () => {
      this.connections += 1;
    });
    this.#server.on('tlsClientError', () => {});
  }

  get port(): number {
    return (this.#server.address() as net.AddressInfo).port;
  }

  get address(): string {
    const address = this.#server.address();
    if (typeof address === 'string') return `unix://${address}`;
    return this.#server instanceof tls.Server
      ? `https://localhost:${this.port}`
      : `http://127.0.0.1:${this.port}`;
  }

  get upgrades(): HttpRequest[] {
    return this.requests.filter(({ path }) => path.endsWith('/exec/interactive'));
  }

  /** The newest terminal, once there is one. */
  async terminal(): Promise<PeerTerminal> {
    await this.until(() => this.terminals.length > 0);
    return this.terminals.at(-1) as PeerTerminal;
  }

  /** Resolves when `condition` holds; it is asked whenever something has come or gone. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  changed(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: net.Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.sockets.delete(socket);
      this.changed();
    });
    if (this.silent) {
      socket.resume();
      return;
    }
    let received = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const request = parseRequest(received);
      if (request === null) return;
      socket.off('data', onData);
      this.requests.push(request);
      this.#answer(request, socket);
      this.changed();
    };
    socket.on('data', onData);
  }

  #answer(request: HttpRequest, socket: net.Socket): void {
    // What comes from here on is not looked at, but it has to be read for its end to be seen.
    socket.resume();
    if (this.answers?.(request, socket)) return;
    const machineName = /^\/api\/v1\/machines\/([^/]+)\/exec\/interactive$/.exec(request.path)?.[1];
    const isLetIn = this.token === null || request.headers.get('authorization') === `Bearer ${this.token}`;
    if (machineName !== undefined && isLetIn) this.#upgrade(request, socket, decodeURIComponent(machineName));
    else socket.end(this.#rest(request, isLetIn));
  }

  #rest(request: HttpRequest, isLetIn: boolean): string {
    const { path, headers } = request;
    if (path === '/health') {
      const running = this.machines.filter(({ state }) => state === 'running').length;
      const machines = { total: this.machines.length, running };
      return response(200, { status: 'ok', version: this.version, machines, uptime_seconds: 1 });
    }
    if (path === '/readyz') return response(this.ready ? 200 : 503, undefined);
    if (!isLetIn) return response(401, { message: `no ${headers.get('authorization')}` });
    const [, name, action = ''] = /^\/api\/v1\/machines(?:\/([^/]+))?(\/.*)?$/.exec(path) ?? [];
    if (name === undefined) return response(200, this.#collection(request));
    const found = this.machines.find((one) => one.name === decodeURIComponent(name));
    if (found === undefined) return response(404, notFound(name));
    return response(200, this.#act(request.method, action, found));
  }

  #act(method: string, action: string, found: PeerMachine): unknown {
    if (method === 'DELETE') {
      this.machines = this.machines.filter((one) => one !== found);
      return { deleted: found.name };
    }
    if (action === '/start') found.state = 'running';
    if (action === '/stop') found.state = 'stopped';
    return found;
  }

  #collection({ method, body }: HttpRequest): unknown {
    if (method !== 'POST') return { machines: this.machines };
    const made = machine('made', { ...JSON.parse(body), state: 'created' });
    this.machines.push(made);
    return made;
  }

  #upgrade(request: HttpRequest, socket: net.Socket, name: string): void {
    if (this.answersUpgrade?.(request, socket)) return;
    const sizes = [request.query.get('cols') ?? '80', request.query.get('rows') ?? '24'];
    if (sizes.some((size) => !/^\d{1,5}$/.test(size) || Number(size) > 65_535)) {
      socket.end(response(400, 'Failed to deserialize query string'));
    } else if (this.machines.some((one) => one.name === name)) {
      const terminal = new PeerTerminal(this, socket, request);
      const first = this.withUpgrade?.() ?? Buffer.alloc(0);
      socket.write(Buffer.concat([Buffer.from(switching(request)), first]));
      this.terminals.push(terminal);
      this.program(terminal);
    } else socket.end(response(404, notFound(name)));
  }
}

/** One upgraded connection, as the server has it. */
export class PeerTerminal {
  readonly request: HttpRequest;
  readonly frames: Frame[] = [];
  readonly socket: net.Socket;
  /** How its TCP connection ended: `end` for an orderly one. */
  ended: 'end' | 'reset' | null = null;
  /** Handles every frame as it comes. */
  onFrame: (frame: Frame) => void = (received) => this.faithful(received);
  /** What a program on the terminal gets. */
  onInput: (bytes: Buffer) => void = () => {};
  readonly #peer: SmolvmPeer;
  #received = Buffer.alloc(0);

  constructor(peer: SmolvmPeer, socket: net.Socket, request: HttpRequest) {
    this.#peer = peer;
    this.socket = socket;
    this.request = request;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => {
      this.ended ??= 'reset';
    });
    socket.on('end', () => {
      this.ended ??= 'end';
      peer.changed();
    });
  }

  /** Everything typed, as bytes. */
  get input(): Buffer {
    return Buffer.concat(this.of(OPCODE.binary).map(({ payload }) => payload));
  }

  get texts(): string[] {
    return this.of(OPCODE.text).map(({ payload }) => payload.toString());
  }

  get closes(): Frame[] {
    return this.of(OPCODE.close);
  }

  of(opcode: number): Frame[] {
    return this.frames.filter((one) => one.opcode === opcode);
  }

  /** One write to TCP. */
  send(...frames: Uint8Array[]): void {
    this.socket.write(Buffer.concat(frames));
  }

  /** As a server ends: the exit, a Close without a status, and the end of TCP at once. */
  exit(code: number): void {
    this.socket.end(Buffer.concat([exit(code), close()]));
  }

  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** A client that closes is not answered; the end of TCP follows after a moment. */
  faithful({ opcode, payload }: Frame): void {
    if (opcode === OPCODE.ping) this.send(frame(OPCODE.pong, payload));
    if (opcode === OPCODE.close) setTimeout(() => this.socket.destroy(), 50);
    if (opcode === OPCODE.binary) this.onInput(payload.length === 0 ? Buffer.from([4, 4]) : payload);
    if (opcode === OPCODE.text && !isResize(payload)) this.onInput(payload);
  }

  /**
   * Puts out pieces for as long as `wanted`, as a machine does: while it cannot get rid of one it looks at no input. Resolves
   * with the bytes put out.
   */
  async flood(piece: Buffer, wanted: () => boolean): Promise<number> {
    const whole = output(piece);
    let bytes = 0;
    while (wanted() && !this.socket.destroyed) {
      bytes += piece.length;
      if (this.socket.write(whole)) {
        await new Promise(setImmediate);
        continue;
      }
      this.socket.pause();
      await Promise.race([once(this.socket, 'drain'), once(this.socket, 'close')]).catch(() => {});
      this.socket.resume();
      await new Promise(setImmediate);
    }
    return bytes;
  }

  #read(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (let parsed = parseFrame(this.#received); parsed !== null; parsed = parseFrame(this.#received)) {
      this.#received = this.#received.subarray(parsed.size);
      this.frames.push(parsed.frame);
      this.onFrame(parsed.frame);
    }
    this.#peer.changed();
  }
}

/** A terminal that echoes, CR as a line end; `exit N` ends it. */
export const echo: Program = (terminal) => {
  let line = '';
  terminal.onInput = (bytes) => {
    const typed = bytes.toString('latin1');
    terminal.send(output(Buffer.from(typed.replaceAll('\r', '\r\n'), 'latin1')));
    const lines = (line + typed).split('\r');
    line = lines.pop() ?? '';
    const code = lines.map((one) => /^exit (\d+)$/.exec(one)?.[1]).find((one) => one !== undefined);
    if (code !== undefined) terminal.exit(Number(code));
  };
};

function isResize(payload: Buffer): boolean {
  try {
    return JSON.parse(payload.toString()).type === 'resize';
  } catch {
    return false;
  }
}

export function switching({ headers }: HttpRequest, changes: Record<string, string | null> = {}): string {
  const key = headers.get('sec-websocket-key') ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const fields = {
    Connection: 'upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Accept': accept,
    'x-trace-id': randomBytes(8).toString('hex'),
    ...changes,
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : `${name}: ${value}\r\n`,
  );
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`;
}

export function response(status: number, body: unknown, more: Record<string, string> = {}): string {
  const isText = typeof body === 'string';
  const content = body === undefined ? '' : isText ? body : JSON.stringify(body);
  const fields = {
    'Content-Type': isText ? 'text/plain' : 'application/json',
    'Content-Length': String(Buffer.byteLength(content)),
    'x-trace-id': randomBytes(8).toString('hex'),
    ...more,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n${content}`;
}

const notFound = (name: string) => ({ error: `machine '${name}' not found`, code: 'NOT_FOUND' });

/** Null until all of it is there. */
function parseRequest(bytes: Buffer): HttpRequest | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [line = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map<string, string>();
  for (const field of fields) {
    const colon = field.indexOf(':');
    const name = field.slice(0, colon).toLowerCase();
    const value = field.slice(colon + 1).trim();
    // A repeated one is kept as such, so that a test can see it.
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  const body = bytes.subarray(end + 4);
  const length = Number(headers.get('content-length') ?? 0);
  if (body.length < length) return null;
  const [method = '', target = ''] = line.split(' ');
  const url = new URL(target, 'http://peer');
  return { line, method, path: url.pathname, query: url.searchParams, headers, body: body.toString() };
}

function parseFrame(bytes: Buffer): { frame: Frame; size: number } | null {
  if (bytes.length < 2) return null;
  const first = bytes.readUInt8(0);
  const second = bytes.readUInt8(1);
  const short = second & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const masked = (second & 0x80) !== 0;
  const start = 2 + lengthBytes + (masked ? 4 : 0);
  if (bytes.length < start) return null;
  const length =
    lengthBytes === 2 ? bytes.readUInt16BE(2) : lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < start + length) return null;
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(bytes.subarray(start, start + length));
  if (masked) for (let n = 0; n < length; n++) payload[n] = (payload[n] ?? 0) ^ (mask[n % 4] ?? 0);
  return {
    frame: { opcode: first & 0x0f, fin: (first & 0x80) !== 0, masked, payload },
    size: start + length,
  };
}
