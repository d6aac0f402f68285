import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import type { HostEvent } from '../../shared/protocol/events.ts';
import { decodeOutput } from '../../shared/protocol/frames.ts';
import { type HostMessage, hostMessageSchema } from '../../shared/protocol/messages.ts';
import type { Params, Verb } from '../../shared/protocol/requests.ts';
import { PROTOCOL } from '../../shared/protocol/version.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { InputOrigin } from '../../shared/terminal/input-origin.ts';
import { PAGE_LIVENESS } from '../../shared/terminal/limits.ts';
import type { Carrier, CarrierListener, OpenCarrier, OpenedCarrier } from './carrier.ts';
import { Channels } from './channels.ts';
import type { ConnectionState } from './connection-state.ts';
import { InputPump } from './input-pump.ts';
import { Liveness } from './liveness.ts';
import { type Answer, PendingRequests } from './pending-requests.ts';

export interface LinkListener {
  onEvent(event: HostEvent): void;
  onState(state: ConnectionState): void;
}

const NO_ANSWER = 'The host does not answer. What was typed last may not have arrived.';

/** One life of the connection: opened, greeted, used, lost. Never used again after that. */
export class HostLink {
  readonly channels = new Channels();
  readonly #listener: LinkListener;
  readonly #pending = new PendingRequests();
  readonly #giveUp = new AbortController();
  readonly #liveness: Liveness;
  #carrier: Carrier | null = null;
  #pump: InputPump | null = null;
  #welcomed = false;
  #over = false;
  #tick: ReturnType<typeof setInterval> | null = null;
  #greeted: () => void = () => {};

  constructor(listener: LinkListener) {
    this.#listener = listener;
    this.#liveness = new Liveness({
      ping: (n) => this.#carrier?.sendControl({ type: 'ping', n }),
      dead: () => this.#end({ kind: 'lost', reason: NO_ANSWER }),
    });
  }

  /** Resolves when the host has welcomed or refused this page, or could not be reached. */
  async open(openCarrier: OpenCarrier): Promise<void> {
    const opened = await openCarrier(this.#carrierListener(), this.#giveUp.signal).catch(cannotOpen);
    if (opened.kind !== 'open') {
      this.#end({ kind: opened.kind === 'failed' ? 'lost' : 'signed-out', reason: opened.reason });
      return;
    }
    if (this.#over) {
      opened.carrier.close();
      return;
    }
    this.#carrier = opened.carrier;
    const greeted = new Promise<void>((resolve) => {
      this.#greeted = resolve;
    });
    opened.carrier.sendControl({ type: 'hello', protocol: PROTOCOL, ...opened.credential });
    this.#tick = setInterval(() => this.#liveness.tick(), PAGE_LIVENESS.tick);
    await greeted;
  }

  request<V extends Verb>(verb: V, params: Params<V>): Promise<Answer<V>> {
    const carrier = this.#carrier;
    if (carrier === null || !this.#welcomed) return Promise.resolve(fail(lost()));
    return this.#pending.add(verb, (id) => carrier.sendControl({ type: 'request', id, verb, params }));
  }

  sendInput(channel: number, origin: InputOrigin, bytes: Uint8Array): Result<undefined, TaggedError> {
    if (this.#pump === null) return fail(lost());
    if (this.#pump.send(channel, origin, bytes)) return ok(undefined);
    return fail(taggedError('input-queue-full', 'The session is not reading. Nothing of this was sent.'));
  }

  parsed(channel: number, total: number, ahead: number): void {
    if (this.#welcomed) this.#carrier?.sendControl({ type: 'parsed', channel, total, ahead });
  }

  checkNow(): void {
    if (this.#carrier !== null) this.#liveness.checkNow();
  }

  dispose(): void {
    this.#end({ kind: 'lost', reason: 'This page left.' });
  }

  #carrierListener(): CarrierListener {
    return {
      onControl: (message) => this.#onControl(message),
      onFrame: (frame) => this.#onFrame(frame),
      onClosed: (reason) => this.#end({ kind: 'lost', reason }),
    };
  }

  #onFrame(data: Uint8Array): void {
    if (this.#over) return;
    this.#liveness.heard();
    const frame = decodeOutput(data);
    if (frame === null || !this.#welcomed) this.#notUnderstood();
    else this.channels.deliver(frame.channel, frame.bytes);
  }

  /** Hosts are checked too: a page must not misread a host of another version, and no output passes here. */
  #onControl(data: unknown): void {
    if (this.#over) return;
    this.#liveness.heard();
    const read = hostMessageSchema.safeParse(data);
    if (!read.success) this.#notUnderstood();
    else if (read.data.type === 'ping') this.#carrier?.sendControl({ type: 'pong', n: read.data.n });
    else if (read.data.type === 'refused') this.#refused(read.data.error);
    else if (this.#welcomed) this.#onMessage(read.data);
    else if (read.data.type === 'welcome') this.#onWelcome(read.data);
    else if (read.data.type !== 'pong') this.#notUnderstood();
  }

  #onWelcome({ protocol }: { protocol: string }): void {
    const carrier = this.#carrier;
    if (carrier === null || protocol !== PROTOCOL) {
      this.#end({ kind: 'signed-out', reason: otherVersion(protocol) });
      return;
    }
    carrier.admitted(true);
    this.#pump = new InputPump(carrier);
    this.#welcomed = true;
    this.#listener.onState({ kind: 'connected' });
    this.#greeted();
  }

  #onMessage(message: HostMessage): void {
    if (message.type === 'reply') this.#pending.reply(message.id, message.result);
    else if (message.type === 'failure') this.#pending.failure(message.id, message.error);
    else if (message.type === 'event') this.#listener.onEvent(message.event);
    else if (message.type !== 'pong') this.#notUnderstood();
  }

  #notUnderstood(): void {
    this.#end({ kind: 'lost', reason: 'The host sent a message that this page does not understand.' });
  }

  #refused(error: TaggedError): void {
    if (error.tag === 'not-authenticated') this.#carrier?.admitted(false);
    this.#end({ kind: 'signed-out', reason: error.message });
  }

  #end(state: ConnectionState): void {
    if (this.#over) return;
    this.#over = true;
    this.#welcomed = false;
    if (this.#tick !== null) clearInterval(this.#tick);
    this.#giveUp.abort();
    this.#pump?.dispose();
    this.#pump = null;
    this.#carrier?.close();
    this.#carrier = null;
    this.channels.clear();
    this.#pending.failAll(unanswered());
    this.#listener.onState(state);
    this.#greeted();
  }
}

/** What a browser forbids, storage or sockets, it throws. */
function cannotOpen(error: unknown): OpenedCarrier {
  return { kind: 'failed', reason: `The page cannot connect to its host: ${String(error)}` };
}

function lost(): TaggedError {
  return taggedError('connection-lost', 'There is no connection to the host. Nothing was sent.');
}

function unanswered(): TaggedError {
  return taggedError('connection-lost', 'The connection to the host was lost before it answered.');
}

function otherVersion(protocol: string): string {
  return `This page speaks ${PROTOCOL}, its host ${protocol}. Load the page again.`;
}
