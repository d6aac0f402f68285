import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import type { HostEvent } from '../../shared/protocol/events.ts';
import type { InputFrame } from '../../shared/protocol/frames.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { Session } from '../session/session.ts';
import type { OpenRequest, SessionRegistry } from '../session/session-registry.ts';
import type { Principal } from '../session/sink.ts';
import { type Outlet, SessionOutlet } from './session-outlet.ts';

export interface OpenedOnChannel {
  readonly session: Session;
  readonly channel: number;
  /** To be called when the client has been told of session and channel: output may follow. */
  readonly start: () => void;
}

/**
 * The sessions of one client, by id and by channel. Every way to a session passes `find`, the one place where the
 * registry is asked whether this client owns it (ST-28). Channels are numbered from 1 and never used again.
 */
export class ClientSessions {
  readonly principal: Principal;
  readonly #registry: SessionRegistry;
  readonly #outlet: Outlet;
  readonly #gone = new AbortController();
  readonly #idOfChannel = new Map<number, string>();
  #lastChannel = 0;

  constructor(registry: SessionRegistry, principal: Principal, outlet: Outlet) {
    this.#registry = registry;
    this.principal = principal;
    this.#outlet = outlet;
  }

  get size(): number {
    return this.#registry.sizeOf(this.principal);
  }

  find(sessionId: string): Result<Session, TaggedError> {
    return this.#registry.find(sessionId, this.principal);
  }

  async open(
    request: Pick<OpenRequest, 'profile' | 'project' | 'size'>,
  ): Promise<Result<OpenedOnChannel, TaggedError>> {
    this.#lastChannel += 1;
    const channel = this.#lastChannel;
    const sink = new SessionOutlet(this.#outlet, channel);
    const signal = this.#gone.signal;
    const opened = await this.#registry.open({ ...request, principal: this.principal, sink, signal });
    if (!opened.ok) return opened;
    const session = opened.value;
    this.#idOfChannel.set(channel, session.id);
    // The client left between the commit and now.
    if (signal.aborted) session.end('client-lost');
    return ok({ session, channel, start: () => sink.start(session.id) });
  }

  /** Input that a session refuses is told on its pane. Fails for a channel that this client never had. */
  input(frame: InputFrame): Result<void, TaggedError> {
    const sessionId = this.#idOfChannel.get(frame.channel);
    if (sessionId === undefined) return fail(noSuchChannel(frame.channel));
    const session = this.find(sessionId);
    const taken = session.ok ? session.value.input(frame.origin, frame.bytes) : session;
    if (!taken.ok) this.#outlet.sendEvent(inputRefused(sessionId, taken.error));
    return ok(undefined);
  }

  /** Counts for a session that is there; one that has ended needs no more credit. */
  parsed(channel: number, total: number): Result<void, TaggedError> {
    const sessionId = this.#idOfChannel.get(channel);
    if (sessionId === undefined) return fail(noSuchChannel(channel));
    const session = this.find(sessionId);
    if (session.ok) session.value.parsed(total);
    return ok(undefined);
  }

  /** The client is gone: what it is opening is given up, what it has is released (ST-23). */
  async release(): Promise<void> {
    this.#gone.abort();
    await this.#registry.releaseOf(this.principal, 'client-lost');
  }
}

function noSuchChannel(channel: number): TaggedError {
  return taggedError('session-unknown', 'This connection has no session on that channel.', { channel });
}

function inputRefused(sessionId: string, error: TaggedError): HostEvent {
  return { event: 'session.notice', sessionId, notice: { kind: 'input-refused', error } };
}
