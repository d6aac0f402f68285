import { EventEmitter } from 'node:events';

/** Where a port's messages go: its twin in this process, or a page at the end of a tunnel. */
interface Remote {
  deliver(data: unknown): void;
  closed(): void;
}

/**
 * Electron's MessagePortMain: messages wait until `start`, come in order and on a later turn, `close` is told once
 * to the other side. Ports inside messages are not carried.
 */
export class MessagePortMain extends EventEmitter {
  #remote: Remote | null = null;
  #queue: unknown[] = [];
  #started = false;
  #closed = false;

  postMessage(message: unknown, transfer: readonly MessagePortMain[] = []): void {
    if (transfer.length > 0) throw new TypeError('The double does not send ports through ports.');
    if (!this.#closed) this.#remote?.deliver(message);
  }

  start(): void {
    this.#started = true;
    setImmediate(() => this.#flush());
  }

  close(): void {
    this.#end((remote) => remote.closed());
  }

  /** Used by the other side only. */
  receive(data: unknown): void {
    if (this.#closed) return;
    this.#queue.push(data);
    if (this.#started) setImmediate(() => this.#flush());
  }

  /** Used by the other side only: it has closed or is gone. */
  remoteClosed(): void {
    setImmediate(() => {
      if (!this.#closed) this.#flush();
      this.#end(() => {});
    });
  }

  connect(remote: Remote): void {
    this.#remote = remote;
  }

  /** This end moves to a page: what waited here goes there, and so does everything later. */
  transferTo(twin: MessagePortMain, page: Remote): void {
    const waiting = this.#queue;
    this.#queue = [];
    this.#closed = true;
    twin.connect(page);
    for (const data of waiting) page.deliver(data);
  }

  #flush(): void {
    if (!this.#started) return;
    for (const data of this.#queue.splice(0)) this.emit('message', { data, ports: [] });
  }

  #end(tell: (remote: Remote) => void): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#remote) tell(this.#remote);
    this.emit('close');
  }
}

const twins = new WeakMap<MessagePortMain, MessagePortMain>();

/** The other end of a channel made here. */
export function twinOf(port: MessagePortMain): MessagePortMain {
  const twin = twins.get(port);
  if (!twin) throw new TypeError('Not a port of a MessageChannelMain.');
  return twin;
}

export class MessageChannelMain {
  readonly port1 = new MessagePortMain();
  readonly port2 = new MessagePortMain();

  constructor() {
    entangle(this.port1, this.port2);
    entangle(this.port2, this.port1);
  }
}

function entangle(port: MessagePortMain, twin: MessagePortMain): void {
  twins.set(port, twin);
  port.connect({
    deliver: (data) => twin.receive(structuredClone(data)),
    closed: () => twin.remoteClosed(),
  });
}
