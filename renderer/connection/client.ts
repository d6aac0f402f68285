import '../ui/zod-without-eval.ts';
import { type Disposable, toDisposable } from '../../shared/disposable.ts';
import { Emitter } from '../../shared/emitter.ts';
import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import type { HostEvent } from '../../shared/protocol/events.ts';
import type { Params, Verb } from '../../shared/protocol/requests.ts';
import { fail, type Result } from '../../shared/result.ts';
import type { InputOrigin } from '../../shared/terminal/input-origin.ts';
import type { OpenCarrier } from './carrier.ts';
import type { OutputSink } from './channels.ts';
import { openCarrier as chooseCarrier } from './choose-carrier.ts';
import type { ConnectionState } from './connection-state.ts';
import { HostLink } from './host-link.ts';
import type { Answer } from './pending-requests.ts';
import { watchWakes } from './wakes.ts';

interface ClientEvents {
  state: ConnectionState;
  host: HostEvent;
}

/**
 * The page's one way to its host, whatever carries it. Expected failures are values. After the link is lost every
 * request and every keystroke fails with `connection-lost`; nothing is kept for a later link (B27).
 */
export class Client {
  readonly #openCarrier: OpenCarrier;
  readonly #events = new Emitter<ClientEvents>();
  readonly #wakes: Disposable;
  #state: ConnectionState = { kind: 'lost', reason: 'Not connected yet.' };
  #link: HostLink | null = null;

  constructor(openCarrier: OpenCarrier = chooseCarrier) {
    this.#openCarrier = openCarrier;
    this.#wakes = watchWakes(() => this.#link?.checkNow());
  }

  get state(): ConnectionState {
    return this.#state;
  }

  onState(listener: (state: ConnectionState) => void): Disposable {
    return this.#events.on('state', listener);
  }

  /** The host's events, in order with the output of `attachSession`. */
  onEvent(listener: (event: HostEvent) => void): Disposable {
    return this.#events.on('host', listener);
  }

  /**
   * Makes a link, or a new one in place of a lost one: sessions of the old link are gone (ST-23). Resolves when the
   * host has welcomed or refused this page, which `state` then says; does nothing while connecting or connected.
   */
  async connect(): Promise<void> {
    if (this.#state.kind === 'connecting' || this.#state.kind === 'connected') return;
    this.#setState({ kind: 'connecting' });
    const link = new HostLink({
      onEvent: (event) => this.#events.fire('host', event),
      onState: (state) => {
        if (this.#link === link) this.#setState(state);
      },
    });
    this.#link = link;
    await link.open(this.#openCarrier);
  }

  /** Rejects never; a result that is not what the verb promises is the error `malformed-message`. */
  request<V extends Verb>(verb: V, params: Params<V>): Promise<Answer<V>> {
    return this.#link?.request(verb, params) ?? Promise.resolve(fail(notConnected()));
  }

  /**
   * Gives a session's output to `sink`, what came before this call first. Call it once per channel; disposing it drops
   * what still comes.
   */
  attachSession(channel: number, sink: OutputSink): Disposable {
    return this.#link?.channels.attach(channel, sink) ?? toDisposable(() => {});
  }

  /** Refuses with `connection-lost` or `input-queue-full`, and then sends nothing of `bytes`. */
  sendInput(channel: number, origin: InputOrigin, bytes: Uint8Array): Result<undefined, TaggedError> {
    return this.#link?.sendInput(channel, origin, bytes) ?? fail(notConnected());
  }

  /** Tells the host how many bytes of a channel xterm has parsed since the session began, and how many to send ahead. */
  parsed(channel: number, total: number, ahead: number): void {
    this.#link?.parsed(channel, total, ahead);
  }

  dispose(): void {
    this.#wakes.dispose();
    this.#link?.dispose();
    this.#link = null;
    this.#events.clear();
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    this.#events.fire('state', state);
  }
}

function notConnected(): TaggedError {
  return taggedError('connection-lost', 'There is no connection to the host. Nothing was sent.');
}
