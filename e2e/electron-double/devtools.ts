import { EventEmitter } from 'node:events';
import { WebSocket } from 'ws';

/** A DevTools event's or reply's body; each reader names the fields that it uses. */
export type Body = Record<string, unknown>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Body;
  readonly result?: Body;
  readonly error?: { readonly message: string };
}

/**
 * A connection to Chromium's DevTools endpoint. Events come in the order in which Chromium sent them: a page's
 * events on the session of that page, everything else on the connection itself.
 */
export class DevTools extends EventEmitter {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve(result: Body): void; reject(error: Error): void }>();
  readonly #sessions = new Map<string, DevToolsSession>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    super();
    this.#socket = socket;
    socket.on('message', (data) => this.#receive(JSON.parse(String(data)) as Message));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The browser is gone.'));
      this.#waiting.clear();
      this.emit('closed');
    });
  }

  /** `endpoint` is the browser's `ws://…/devtools/browser/…` address. */
  static connect(endpoint: string): Promise<DevTools> {
    const socket = new WebSocket(endpoint, { perMessageDeflate: false, maxPayload: 256 * 1024 * 1024 });
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(new DevTools(socket)));
      socket.once('error', reject);
    });
  }

  send(method: string, params: Body = {}, sessionId?: string): Promise<Body> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject: (error) => reject(new Error(`${method}: ${error.message}`)) });
      this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
  }

  async attach(targetId: string): Promise<DevToolsSession> {
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const session = new DevToolsSession(this, sessionId as string);
    this.#sessions.set(session.id, session);
    return session;
  }

  #receive(message: Message): void {
    if (message.id !== undefined) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) waiting?.reject(new Error(message.error.message));
      else waiting?.resolve(message.result ?? {});
      return;
    }
    const emitter = message.sessionId === undefined ? this : this.#sessions.get(message.sessionId);
    emitter?.emit(message.method as string, message.params ?? {});
  }
}

/** One page's part of the connection. */
export class DevToolsSession extends EventEmitter {
  readonly id: string;
  readonly #devtools: DevTools;

  constructor(devtools: DevTools, id: string) {
    super();
    this.#devtools = devtools;
    this.id = id;
  }

  send(method: string, params: Body = {}): Promise<Body> {
    return this.#devtools.send(method, params, this.id);
  }
}
