import { randomUUID } from 'node:crypto';
import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import type { HostEvent } from '../../shared/protocol/events.ts';
import { decodeInput } from '../../shared/protocol/frames.ts';
import { describeIssues, problemsInWords } from '../../shared/protocol/issues.ts';
import {
  type ClientMessage,
  clientMessageSchema,
  type Hello,
  type HostMessage,
  type RequestMessage,
} from '../../shared/protocol/messages.ts';
import { PROTOCOL } from '../../shared/protocol/version.ts';
import type { Result } from '../../shared/result.ts';
import {
  CARRIER_BUFFER_MAX_BYTES,
  HELLO_DEADLINE_MS,
  REQUESTS_IN_FLIGHT_MAX,
} from '../../shared/terminal/limits.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { Carrier } from './carrier.ts';
import { ClientSessions } from './client-sessions.ts';
import { Liveness } from './liveness.ts';
import type { ReportFault, Router } from './router.ts';
import type { ApprovalPlace } from './services.ts';

/** Decides whether a client may come in. */
export type Authenticate = (hello: Hello) => Promise<Result<undefined, TaggedError>>;

export interface ConnectionOptions {
  readonly carrier: Carrier;
  readonly authenticate: Authenticate;
  readonly router: Router;
  readonly registry: SessionRegistry;
  readonly report: ReportFault;
  /** Desktop: the approval page of this client's window. */
  readonly approvalPlace?: ApprovalPlace | undefined;
}

type State = 'expecting-hello' | 'greeting' | 'open' | 'ended';

/**
 * One client: its carrier, its principal and its sessions. The first message must be a `hello` within
 * HELLO_DEADLINE_MS. A client that breaks the protocol is refused and cut. However a connection ends, its
 * sessions are released (ST-23).
 */
export class Connection {
  /** Resolves when the client was let in; never where it is not. */
  readonly opened: Promise<void>;
  /** Resolves when the connection has ended and its sessions are released. Never rejects. */
  readonly closed: Promise<void>;
  readonly #options: ConnectionOptions;
  readonly #carrier: Carrier;
  readonly #sessions: ClientSessions;
  readonly #resolveOpened: () => void;
  readonly #resolveClosed: () => void;
  readonly #helloTimer: NodeJS.Timeout;
  #liveness: Liveness | null = null;
  #state: State = 'expecting-hello';
  #inFlight = 0;

  constructor(options: ConnectionOptions) {
    const opened = Promise.withResolvers<void>();
    this.opened = opened.promise;
    this.#resolveOpened = opened.resolve;
    const closed = Promise.withResolvers<void>();
    this.closed = closed.promise;
    this.#resolveClosed = closed.resolve;
    this.#options = options;
    this.#carrier = options.carrier;
    this.#sessions = new ClientSessions(
      options.registry,
      randomUUID(),
      {
        sendFrame: (frame) => this.#sendFrame(frame),
        sendEvent: (event) => this.sendEvent(event),
      },
      options.approvalPlace,
    );
    const late = taggedError('not-authenticated', `No hello came within ${HELLO_DEADLINE_MS} milliseconds.`);
    this.#helloTimer = setTimeout(() => this.#refuse(late), HELLO_DEADLINE_MS);
    this.#carrier.listen({
      onControl: (message) => this.#onControl(message),
      onFrame: (frame) => this.#onFrame(frame),
      onViolation: (error) => this.#refuse(error),
      onPong: () => this.#liveness?.heard(),
      onClosed: () => this.#end(),
    });
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** It has not been let in yet. One that has ended never is. */
  get isArriving(): boolean {
    return this.#state === 'expecting-hello' || this.#state === 'greeting';
  }

  /** Sessions of this client that are opening, open or being released. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Nothing is sent before the client was let in or after the end. */
  sendEvent(event: HostEvent): void {
    if (this.#state === 'open') this.#send({ type: 'event', event });
  }

  /** Cuts the connection and releases its sessions. */
  close(): Promise<void> {
    if (this.#state !== 'ended') {
      this.#carrier.close();
      this.#end();
    }
    return this.closed;
  }

  #onControl(value: unknown): void {
    this.#liveness?.heard();
    const parsed = clientMessageSchema.safeParse(value);
    if (parsed.success) this.#onMessage(parsed.data);
    else this.#onMalformed(value, problemsInWords(describeIssues(parsed.error.issues, value)));
  }

  #onMessage(message: ClientMessage): void {
    if (this.#state === 'expecting-hello') this.#onFirst(message);
    else if (this.#state === 'open') this.#onLater(message);
    else this.#refuse(taggedError('malformed-message', 'The client did not wait for its welcome.'));
  }

  #onFirst(message: ClientMessage): void {
    clearTimeout(this.#helloTimer);
    if (message.type !== 'hello') {
      this.#refuse(taggedError('not-authenticated', 'The first message must be a hello.'));
    } else if (message.protocol !== PROTOCOL) {
      const hint = 'Reload the page, or update the older of the two.';
      this.#refuse(
        taggedError('protocol-mismatch', `This host speaks ${PROTOCOL}, the client does not. ${hint}`),
      );
    } else {
      this.#state = 'greeting';
      void this.#greet(message);
    }
  }

  async #greet(hello: Hello): Promise<void> {
    const admitted = await this.#options.authenticate(hello);
    if (this.#state !== 'greeting') return;
    if (!admitted.ok) {
      this.#refuse(admitted.error);
      return;
    }
    this.#state = 'open';
    this.#send({ type: 'welcome', protocol: PROTOCOL });
    this.#resolveOpened();
    const { ping } = this.#carrier;
    if (ping !== undefined) this.#liveness = new Liveness({ ping, dead: () => void this.close() });
  }

  #onLater(message: ClientMessage): void {
    switch (message.type) {
      case 'request':
        void this.#onRequest(message);
        break;
      case 'parsed':
        this.#insist(this.#sessions.parsed(message));
        break;
      case 'ping':
        this.#send({ type: 'pong', n: message.n });
        break;
      case 'pong':
        break;
      case 'hello':
        this.#refuse(taggedError('malformed-message', 'A second hello.'));
    }
  }

  async #onRequest(request: RequestMessage): Promise<void> {
    if (this.#inFlight >= REQUESTS_IN_FLIGHT_MAX) {
      this.#fail(
        request.id,
        taggedError('too-many-requests', 'Too many requests are not answered yet; wait.'),
      );
      return;
    }
    this.#inFlight += 1;
    const reply = await this.#options.router.answer(request, this.#sessions);
    this.#inFlight -= 1;
    this.#send(reply);
  }

  #onFrame(frame: Uint8Array): void {
    this.#liveness?.heard();
    if (this.#state !== 'open') {
      this.#refuse(taggedError('not-authenticated', 'The first message must be a hello.'));
      return;
    }
    const input = decodeInput(frame);
    if (input === null) this.#refuse(taggedError('malformed-message', 'The frame is not an input frame.'));
    else this.#insist(this.#sessions.input(input));
  }

  /** A request whose number is legible gets its answer; anything else cannot be answered, only refused. */
  #onMalformed(value: unknown, problems: string): void {
    const error = taggedError('malformed-message', `Not a message of ${PROTOCOL}: ${problems}.`);
    const id = this.#state === 'open' ? legibleRequestId(value) : null;
    if (id === null) this.#refuse(error);
    else this.#fail(id, error);
  }

  #insist(result: Result<void, TaggedError>): void {
    if (!result.ok) this.#refuse(result.error);
  }

  #fail(id: number, error: TaggedError): void {
    this.#send({ type: 'failure', id, ok: false, error });
  }

  #send(message: HostMessage): void {
    if (this.#state === 'ended') return;
    this.#carrier.sendControl(message);
    this.#requireReader();
  }

  #sendFrame(frame: Uint8Array<ArrayBuffer>): void {
    if (this.#state === 'ended') return;
    this.#carrier.sendFrame(frame);
    this.#requireReader();
  }

  /** A client that asks, or says what it has parsed, and does not read would fill the host's memory. */
  #requireReader(): void {
    if (this.#carrier.bufferedAmount > CARRIER_BUFFER_MAX_BYTES) void this.close();
  }

  #refuse(error: TaggedError): void {
    if (this.#state === 'ended') return;
    this.#carrier.sendControl({ type: 'refused', error });
    void this.close();
  }

  #end(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    clearTimeout(this.#helloTimer);
    this.#liveness?.dispose();
    this.#sessions
      .release()
      .catch((fault) => this.#options.report('release', fault))
      .finally(this.#resolveClosed);
  }
}

function legibleRequestId(value: unknown): number | null {
  if (typeof value !== 'object' || value === null) return null;
  const { type, id } = value as { type?: unknown; id?: unknown };
  return type === 'request' && typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null;
}
