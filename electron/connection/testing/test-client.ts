import { randomUUID } from 'node:crypto';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { WebSocket } from 'ws';
import type { TaggedError } from '../../../shared/protocol/errors.ts';
import type { HostEvent } from '../../../shared/protocol/events.ts';
import { decodeOutput, encodeInput } from '../../../shared/protocol/frames.ts';
import { type HostMessage, hostMessageSchema } from '../../../shared/protocol/messages.ts';
import type { Params, ResultOf, Verb } from '../../../shared/protocol/requests.ts';
import { PROTOCOL } from '../../../shared/protocol/version.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Settings } from '../../../shared/settings/schema.ts';
import type { InputOrigin } from '../../../shared/terminal/input-origin.ts';
import type { PortLike } from '../message-port-carrier.ts';

/** What the client's side of a carrier can do. */
export interface Wire {
  send(message: unknown): void;
  sendFrame(frame: Uint8Array): void;
  close(): void;
}

/** A client as a test plays it: keeps what the host sends, validated, in one list, and waits for conditions. */
export class TestClient {
  /** Control messages, and `OUTPUT channel` for each frame, in order of arrival. */
  readonly log: (HostMessage | string)[] = [];
  readonly outputs = new Map<number, Buffer>();
  closed = false;
  /** Whether output is counted as parsed when it arrives. */
  acknowledges = true;
  readonly #wire: Wire;
  readonly #waiters = new Set<{ holds: () => boolean; resolve: () => void }>();
  #lastId = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get messages(): HostMessage[] {
    return this.log.filter((entry) => typeof entry !== 'string');
  }

  get events(): HostEvent[] {
    return this.messages.flatMap((message) => (message.type === 'event' ? [message.event] : []));
  }

  /** Why the host refused this client, or undefined. */
  get refusal(): TaggedError | undefined {
    const message = this.messages.find(({ type }) => type === 'refused');
    return message?.type === 'refused' ? message.error : undefined;
  }

  send(message: unknown): void {
    this.#wire.send(message);
  }

  sendFrame(frame: Uint8Array): void {
    this.#wire.sendFrame(frame);
  }

  close(): void {
    this.#wire.close();
  }

  /** Greets and waits for the answer: the welcome, or the refusal. */
  async hello(credential: { token?: string; key?: string } = {}): Promise<HostMessage> {
    this.send({ type: 'hello', protocol: PROTOCOL, ...credential });
    const answer = () => this.messages.find(({ type }) => type === 'welcome' || type === 'refused');
    await this.until(() => answer() !== undefined);
    return answer() as HostMessage;
  }

  async request<V extends Verb>(verb: V, params: Params<V>): Promise<Result<ResultOf<V>, TaggedError>> {
    const answer = await this.requestAny(verb, params);
    return answer.ok ? ok(answer.value as ResultOf<V>) : answer;
  }

  async requestAny(verb: string, params: unknown): Promise<Result<unknown, TaggedError>> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.send({ type: 'request', id, verb, params });
    const answer = () => this.messages.find((message) => 'id' in message && message.id === id);
    await this.until(() => answer() !== undefined || this.closed);
    const message = answer();
    if (message?.type === 'reply') return ok(message.result);
    if (message?.type === 'failure') return fail(message.error);
    throw new Error(`The connection ended before ${verb} was answered.`);
  }

  /** Reads the settings and replaces them with what `change` makes of them. */
  async changeSettings(change: (settings: Settings) => Settings) {
    const read = await this.request('settings.read', {});
    if (!read.ok) return read;
    const { settings, revision: from } = read.value;
    return this.request('settings.replace', { settings: change(settings), from, revision: randomUUID() });
  }

  /** Opens a profile and waits until it runs; throws where it cannot be opened. */
  async open(size = { cols: 80, rows: 24 }, profileId = 'shell') {
    const opened = await this.request('session.open', { profileId, size });
    if (!opened.ok) throw new Error(`${opened.error.tag}: ${opened.error.message}`);
    const { sessionId } = opened.value;
    await this.until(() => this.states(sessionId).length > 0);
    return opened.value;
  }

  input(channel: number, text: string, origin: InputOrigin = 'typed'): void {
    this.sendFrame(encodeInput({ channel, origin, bytes: Buffer.from(text) }));
  }

  output(channel: number): string {
    return this.outputs.get(channel)?.toString() ?? '';
  }

  /** The kinds of the states that a session was told to be in, in order. */
  states(sessionId: string): string[] {
    return this.events.flatMap((event) =>
      event.event === 'session.state' && event.sessionId === sessionId ? [event.state.kind] : [],
    );
  }

  /** Resolves when `holds` does, looked at now and whenever something arrives. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.add({ holds, resolve });
      this.#look();
    });
  }

  onControl(value: unknown): void {
    const message = hostMessageSchema.parse(value);
    this.log.push(message);
    if (message.type === 'ping') this.send({ type: 'pong', n: message.n });
    this.#look();
  }

  onFrame(bytes: Uint8Array): void {
    const frame = decodeOutput(bytes);
    if (frame === null) throw new Error('The host sent a frame that is no output frame.');
    this.log.push(`OUTPUT ${frame.channel}`);
    const output = Buffer.concat([this.outputs.get(frame.channel) ?? Buffer.alloc(0), frame.bytes]);
    this.outputs.set(frame.channel, output);
    if (this.acknowledges) this.send({ type: 'parsed', channel: frame.channel, total: output.length });
    this.#look();
  }

  onClosed(): void {
    this.closed = true;
    this.#look();
  }

  #look(): void {
    for (const waiter of this.#waiters) {
      if (!waiter.holds()) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}

/** A client at one end of a real channel; the other end is as Electron hands it to the host. */
export function clientOverPort(): { client: TestClient; port: PortLike } {
  const { port1, port2 } = new MessageChannel();
  const client = new TestClient({
    send: (message) => port1.postMessage(message),
    sendFrame: (frame) => port1.postMessage(frame),
    close: () => port1.close(),
  });
  port1.on('message', (data: unknown) => {
    if (data instanceof Uint8Array) client.onFrame(data);
    else client.onControl(data);
  });
  port1.on('close', () => client.onClosed());
  return { client, port: electronLike(port2) };
}

/** Electron's ports give their listeners an event instead of the message, and start only when told to. */
function electronLike(port: MessagePort): PortLike {
  const onMessage: ((event: { data: unknown }) => void)[] = [];
  return {
    postMessage: (message) => port.postMessage(message),
    on(event: 'message' | 'close', listener: (event: { data: unknown }) => void) {
      if (event === 'message') onMessage.push(listener);
      else port.on('close', () => listener({ data: undefined }));
    },
    start() {
      port.on('message', (data: unknown) => {
        for (const listener of onMessage) listener({ data });
      });
    },
    close: () => port.close(),
  };
}

/** A client on a socket that is open or opening. */
export function clientOverSocket(socket: WebSocket): TestClient {
  const client = new TestClient({
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    sendFrame: (frame) => socket.send(frame),
    close: () => socket.close(),
  });
  socket.on('message', (data, isBinary) => {
    if (isBinary) client.onFrame(data as Buffer);
    else client.onControl(JSON.parse(String(data)));
  });
  socket.on('close', () => client.onClosed());
  return client;
}
