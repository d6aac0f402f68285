import { randomUUID } from 'node:crypto';
import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import { ENGINE_NAMES, type EngineKind } from '../../shared/terminal/engine-status.ts';
import type { ReleaseCause } from '../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';
import type { SandboxEngine } from '../sandbox/engine.ts';
import { openTerminal } from './open-terminal.ts';
import type { SessionRecording, SessionRecordings } from './recording.ts';
import { type RecoveredSession, type RecoverySummary, recoverSessions } from './recover-sessions.ts';
import { type ReleaseRecord, Session } from './session.ts';
import { type LedgerFact, SessionLedger } from './session-ledger.ts';
import { refusalOfControl } from './session-machine.ts';
import { SessionPlaces } from './session-places.ts';
import type { Principal, SessionSink } from './sink.ts';

export interface OpenRequest {
  readonly profile: Profile;
  /** Absolute path of the project folder for this session; null leaves it to the profile. */
  readonly project: string | null;
  readonly size: TerminalSize;
  readonly principal: Principal;
  readonly sink: SessionSink;
  /** Aborting it gives the opening up; it has no effect on a session that is open. */
  readonly signal: AbortSignal;
}

export interface RegistryOptions {
  readonly engines: ReadonlyMap<EngineKind, SandboxEngine>;
  /** Folder of this host's ledger and of those that dead hosts left; made when missing. */
  readonly ledgerFolder: string;
  /** Keeps transcripts of the sessions whose profile wants one; left out, none are kept. */
  readonly recordings?: SessionRecordings;
  /** Shared with the other owners of sessions in this host; left out, there are none. */
  readonly places?: SessionPlaces;
}

interface Opening {
  readonly principal: Principal;
  readonly abort: AbortController;
  readonly done: Promise<unknown>;
}

interface Entry {
  readonly principal: Principal;
  readonly session: Session;
}

/** Owns every session of a host, from the intent to open it to its recorded end. */
export class SessionRegistry {
  readonly #engines: ReadonlyMap<EngineKind, SandboxEngine>;
  readonly #ledger: SessionLedger;
  readonly #recordings: SessionRecordings | null;
  readonly #places: SessionPlaces;
  readonly #openings = new Set<Opening>();
  readonly #sessions = new Map<string, Entry>();
  readonly #closing = new AbortController();

  constructor({ engines, ledgerFolder, recordings, places }: RegistryOptions) {
    this.#engines = engines;
    this.#ledger = new SessionLedger(ledgerFolder);
    this.#recordings = recordings ?? null;
    this.#places = places ?? new SessionPlaces();
    this.#places.countIn(() => this.size);
  }

  /** Sessions that are opening, open or being released. */
  get size(): number {
    return this.#openings.size + this.#sessions.size;
  }

  /** Of these, the ones of one client. */
  sizeOf(principal: Principal): number {
    return [...this.#openings, ...this.#sessions.values()].filter((entry) => entry.principal === principal)
      .length;
  }

  /** Sessions of which it is not on record that nothing is left of them; known once everything was released. */
  get unconfirmed(): number {
    return this.#ledger.unconfirmed;
  }

  /** To be called once, when the host starts (ST-26). Never rejects. */
  recoverSessions(): Promise<RecoverySummary> {
    return recoverSessions(this.#ledger, this.#engines, this.#closing.signal);
  }

  /** A person knows of a session of which no later host can learn more: none tells of it again. */
  settle({ session, detail }: RecoveredSession): void {
    this.#record({ event: 'host-lost', session, detail });
  }

  /**
   * Resolves when the session is committed (ST-6); `sink` is told nothing before the code that awaited this has run.
   * Fails with too-many-sessions, profile-invalid, engine-unavailable, open-failed, open-timed-out.
   */
  async open(request: OpenRequest): Promise<Result<Session, TaggedError>> {
    const refusal = this.#refusalToOpen();
    if (refusal !== null) return fail(refusal);
    const engine = this.#engines.get(request.profile.engine);
    if (engine === undefined) {
      const name = ENGINE_NAMES[request.profile.engine];
      return fail(taggedError('engine-unavailable', `This host has no engine “${name}”.`));
    }
    const abort = new AbortController();
    const done = this.#openOn(engine, request, AbortSignal.any([abort.signal, request.signal]));
    const opening: Opening = { principal: request.principal, abort, done };
    this.#openings.add(opening);
    try {
      return await done;
    } finally {
      this.#openings.delete(opening);
    }
  }

  /** Another principal's session does not exist for it (ST-28). Fails with session-unknown, session-releasing. */
  find(sessionId: string, principal: Principal): Result<Session, TaggedError> {
    const entry = this.#sessions.get(sessionId);
    if (entry === undefined || entry.principal !== principal) {
      return fail(taggedError('session-unknown', 'There is no such session.', { sessionId }));
    }
    const refusal = refusalOfControl(entry.session.state);
    return refusal === null ? ok(entry.session) : fail(refusal);
  }

  /** Ends every session of a client and gives up those it is opening (ST-23). Resolves when all are closed. */
  releaseOf(principal: Principal, cause: ReleaseCause): Promise<void> {
    return this.#releaseWhere((owner) => owner === principal, cause);
  }

  /** Ends everything. With the cause `host-closing` nothing can be opened afterwards and the ledger is closed. */
  async releaseAll(cause: ReleaseCause): Promise<void> {
    if (cause === 'host-closing') this.#closing.abort();
    await this.#releaseWhere(() => true, cause);
    if (this.#closing.signal.aborted) this.#ledger.close();
  }

  #refusalToOpen(): TaggedError | null {
    if (this.#closing.signal.aborted) return taggedError('open-failed', 'Airlock is closing.');
    return this.#places.refusal();
  }

  async #openOn(
    engine: SandboxEngine,
    { profile, project, size, principal, sink }: OpenRequest,
    signal: AbortSignal,
  ): Promise<Result<Session, TaggedError>> {
    const id = randomUUID();
    const spec = { sessionId: id, profile, project };
    const opened = await openTerminal({ engine, spec, size, ledger: this.#ledger, signal });
    if (!opened.ok) return opened;
    const session = new Session({
      id,
      profile,
      terminal: opened.value,
      sink,
      releaseRecord: this.#releaseRecordOf(id),
      recording: this.#recordingOf(id, profile, opened.value.posture, size),
    });
    this.#sessions.set(id, { principal, session });
    void session.closed.then(() => this.#sessions.delete(id));
    return ok(session);
  }

  async #releaseWhere(concerns: (owner: Principal) => boolean, cause: ReleaseCause): Promise<void> {
    for (;;) {
      const openings = [...this.#openings].filter(({ principal }) => concerns(principal));
      const entries = [...this.#sessions.values()].filter(({ principal }) => concerns(principal));
      if (openings.length + entries.length === 0) return;
      const why = cause === 'host-closing' ? 'Airlock is closing' : 'its client is gone';
      for (const { abort } of openings) abort.abort(why);
      for (const { session } of entries) session.end(cause);
      // An opening that was committed just before the abort is a session on the next round.
      await Promise.all([
        ...openings.map(({ done }) => done),
        ...entries.map(({ session }) => session.closed),
      ]);
    }
  }

  #recordingOf(
    id: string,
    profile: Profile,
    posture: SandboxPosture,
    size: TerminalSize,
  ): SessionRecording | null {
    if (!profile.record || this.#recordings === null) return null;
    return this.#recordings.start({ id, kind: 'shell', title: profile.name, profile, posture, size });
  }

  #releaseRecordOf(session: string): ReleaseRecord {
    return {
      releasing: (cause) => this.#record({ event: 'releasing', session, cause }),
      closed: (state) => {
        if (state.kind === 'ended') this.#record({ event: 'clean', session, outcome: state.outcome });
        if (state.kind !== 'needs-attention') return;
        this.#record({
          event: 'needs-attention',
          session,
          reason: state.release.reason ?? 'It was not removed.',
        });
      },
    };
  }

  /** A session ends even when its end cannot be recorded; the next host then looks after it once more. */
  #record(fact: LedgerFact): void {
    try {
      this.#ledger.append(fact);
    } catch {
      // Opening the next session fails with what the file system says.
    }
  }
}
