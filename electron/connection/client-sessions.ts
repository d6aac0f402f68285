import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import type { HostEvent } from '../../shared/protocol/events.ts';
import type { InputFrame } from '../../shared/protocol/frames.ts';
import type { ParsedMessage } from '../../shared/protocol/messages.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { GovernedHost, OpenGoverned } from '../governed/governed-host.ts';
import type { GovernedPane } from '../governed/governed-pane.ts';
import type { Session } from '../session/session.ts';
import type { OpenRequest, SessionRegistry } from '../session/session-registry.ts';
import type { Principal } from '../session/sink.ts';
import type { ApprovalPlace } from './services.ts';
import { type Outlet, SessionOutlet } from './session-outlet.ts';

export interface OpenedOnChannel {
  readonly session: Session;
  readonly channel: number;
}

/** A channel keeps its number and id after its session has closed, so that late input is refused by name (ST-7). */
interface Channel {
  readonly sessionId: string;
  session: Pick<Session, 'input' | 'parsed'> | null;
}

/** Commands of a governed session go through `governed.run` alone. */
const WATCHED_ONLY = taggedError(
  'route-refuses-input',
  'A governed session is watched, not typed into. Use its command bar.',
);

/**
 * The sessions of one client. `find` is the one place where an id is looked up, for this client's principal (ST-28);
 * channels are the client's own, numbered from 1 and never used again.
 */
export class ClientSessions {
  /** Null where the page has the approval page in a frame of its own. */
  readonly approvalPlace: ApprovalPlace | null;
  readonly #registry: SessionRegistry;
  readonly #principal: Principal;
  readonly #outlet: Outlet;
  readonly #gone = new AbortController();
  readonly #channels = new Map<number, Channel>();
  readonly #governed = new Map<string, GovernedPane>();
  #lastChannel = 0;

  constructor(
    registry: SessionRegistry,
    principal: Principal,
    outlet: Outlet,
    approvalPlace: ApprovalPlace | null = null,
  ) {
    this.approvalPlace = approvalPlace;
    this.#registry = registry;
    this.#principal = principal;
    this.#outlet = outlet;
  }

  /** Sessions that are opening, open or being released. */
  get size(): number {
    return this.#registry.sizeOf(this.#principal) + this.#governed.size;
  }

  /** Aborted when the client is gone: what is only being made for it is given up. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Tells this client alone. */
  tell(event: HostEvent): void {
    this.#outlet.sendEvent(event);
  }

  /** Another client's governed session does not exist for this one (E3). Fails with session-unknown. */
  findGoverned(sessionId: string): Result<GovernedPane, TaggedError> {
    const pane = this.#governed.get(sessionId);
    if (pane !== undefined) return ok(pane);
    return fail(taggedError('session-unknown', 'There is no such governed session.', { sessionId }));
  }

  async openGoverned(
    host: GovernedHost,
    request: OpenGoverned,
  ): Promise<Result<{ pane: GovernedPane; channel: number }, TaggedError>> {
    if (this.#gone.signal.aborted) return fail(HAS_ENDED);
    this.#lastChannel += 1;
    const channel = this.#lastChannel;
    const sink = new SessionOutlet(this.#outlet, channel);
    const opened = host.openPane(request, this.#principal, sink, (sessionId, status) =>
      this.#outlet.sendEvent({ event: 'governed.activity', sessionId, status }),
    );
    if (!opened.ok) return opened;
    const pane = opened.value;
    sink.sessionId = pane.id;
    this.#governed.set(pane.id, pane);
    const entry: Channel = {
      sessionId: pane.id,
      session: {
        input: () => fail(WATCHED_ONLY),
        parsed: (total, ahead) => pane.parsed(total, ahead),
      },
    };
    this.#channels.set(channel, entry);
    void pane.closed.then(() => {
      entry.session = null;
      this.#governed.delete(pane.id);
    });
    return ok({ pane, channel });
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
    const governed = [...this.#governed.values()];
    for (const pane of governed) pane.end('client-lost');
    await Promise.all([
      this.#registry.releaseOf(this.#principal, 'client-lost'),
      ...governed.map((pane) => pane.closed),
    ]);
  }
}

const HAS_ENDED = taggedError('session-not-running', 'The session has ended.');

function noSuchChannel(channel: number): TaggedError {
  return taggedError('session-unknown', 'This connection has no session on that channel.', { channel });
}

function inputRefused(sessionId: string, error: TaggedError): HostEvent {
  return { event: 'session.notice', sessionId, notice: { kind: 'input-refused', error } };
}
