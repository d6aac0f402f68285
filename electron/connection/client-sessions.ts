import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import type { HostEvent } from '../../shared/protocol/events.ts';
import type { InputFrame } from '../../shared/protocol/frames.ts';
import type { ParsedMessage } from '../../shared/protocol/messages.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { Session } from '../session/session.ts';
import type { OpenRequest, SessionRegistry } from '../session/session-registry.ts';
import type { Principal } from '../session/sink.ts';
import { type Outlet, SessionOutlet } from './session-outlet.ts';

export interface OpenedOnChannel {
  readonly session: Session;
  readonly channel: number;
}

/** A channel keeps its number and id after its session has closed, so that late input is refused by name (ST-7). */
interface Channel {
  readonly sessionId: string;
  session: Session | null;
}

/**
 * The sessions of one client. `find` is the one place where an id is looked up, for this client's principal (ST-28);
 * channels are the client's own, numbered from 1 and never used again.
 */
export class ClientSessions {
  readonly #registry: SessionRegistry;
  readonly #principal: Principal;
  readonly #outlet: Outlet;
  readonly #gone = new AbortController();
  readonly #channels = new Map<number, Channel>();
  #lastChannel = 0;

  constructor(registry: SessionRegistry, principal: Principal, outlet: Outlet) {
    this.#registry = registry;
    this.#principal = principal;
    this.#outlet = outlet;
  }

  /** Sessions that are opening, open or being released. */
  get size(): number {
    return this.#registry.sizeOf(this.#principal);
  }

  find(sessionId: string): Result<Session, TaggedError> {
    return this.#registry.find(sessionId, this.#principal);
  }

  async open(
    request: Pick<OpenRequest, 'profile' | 'project' | 'size'>,
  ): Promise<Result<OpenedOnChannel, TaggedError>> {
    this.#lastChannel += 1;
    const channel = this.#lastChannel;
    const sink = new SessionOutlet(this.#outlet, channel);
    const { signal } = this.#gone;
    const opened = await this.#registry.open({ ...request, principal: this.#principal, sink, signal });
    if (!opened.ok) return opened;
    const session = opened.value;
    sink.sessionId = session.id;
    const entry: Channel = { sessionId: session.id, session };
    this.#channels.set(channel, entry);
    void session.closed.then(() => {
      entry.session = null;
    });
    return ok({ session, channel });
  }

  /** What a session refuses of a person's input is told on its pane. Fails with session-unknown for a channel this client never had. */
  input({ channel, origin, bytes }: InputFrame): Result<void, TaggedError> {
    const entry = this.#channels.get(channel);
    if (entry === undefined) return fail(noSuchChannel(channel));
    const taken = entry.session?.input(origin, bytes) ?? fail(HAS_ENDED);
    // Nobody waits for what the terminal answers by itself.
    if (!taken.ok && origin !== 'reply') this.#outlet.sendEvent(inputRefused(entry.sessionId, taken.error));
    return ok(undefined);
  }

  /** A session that has ended needs no more credit. Fails with session-unknown as `input` does. */
  parsed({ channel, total, ahead }: ParsedMessage): Result<void, TaggedError> {
    const entry = this.#channels.get(channel);
    if (entry === undefined) return fail(noSuchChannel(channel));
    entry.session?.parsed(total, ahead);
    return ok(undefined);
  }

  /** The client is gone: what it is opening is given up, what it has is released (ST-23). */
  async release(): Promise<void> {
    this.#gone.abort();
    await this.#registry.releaseOf(this.#principal, 'client-lost');
  }
}

const HAS_ENDED = taggedError('session-not-running', 'The session has ended.');

function noSuchChannel(channel: number): TaggedError {
  return taggedError('session-unknown', 'This connection has no session on that channel.', { channel });
}

function inputRefused(sessionId: string, error: TaggedError): HostEvent {
  return { event: 'session.notice', sessionId, notice: { kind: 'input-refused', error } };
}
