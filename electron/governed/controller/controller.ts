import type { Disposable } from '../../../shared/disposable.ts';
import { Emitter } from '../../../shared/emitter.ts';
import type { GovernedFailure } from '../../../shared/governed/call.ts';
import {
  CLOSE_DEADLINE_MS,
  CLOSED_RUNS_MAX,
  GOVERNED_SESSIONS_MAX,
} from '../../../shared/governed/limits.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Workers } from '../ports.ts';
import type { GovernedCall, Run } from './call.ts';
import { refusalOfCall } from './call-checks.ts';
import type { Clock } from './clock.ts';
import { failure } from './failures.ts';
import { grantsKey, manifestOf, runKey, sessionKey } from './identity.ts';
import type { CallResult } from './pending-command.ts';
import { GovernedSession } from './session.ts';
import type { Transcript } from './transcript.ts';

export interface ControllerParts {
  readonly workers: Workers;
  readonly clock: Clock;
  /** `session-` and a UUID v4. */
  readonly newSessionId: () => string;
}

export interface ControllerEvents {
  /** Before its first command is executed. */
  sessionCreated: GovernedSession;
  /** Activity, count or deadlines changed; `closed` is the last. */
  sessionChanged: GovernedSession;
}

type RunName = Pick<Run, 'principal' | 'startedAt'>;

/**
 * All governed sessions of one host: finds or makes the one that a call belongs to, and ends those of a run. It knows nothing
 * of manifest files, policies or approvals: every call comes in authorized. Nothing is locked and nothing here waits for
 * I/O (E7): between two lines of this class the registry cannot change.
 */
export class GovernedController implements Disposable {
  readonly #parts: ControllerParts;
  readonly #sessions = new Map<string, GovernedSession>();
  /** Runs that are closed, with the time until which that is remembered (E6). */
  readonly #closedRuns = new Map<string, number>();
  readonly #events = new Emitter<ControllerEvents>();
  #shutDown = false;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
  }

  /** Ended sessions count until they are pruned or their run is closed (E4). */
  get sessions(): readonly GovernedSession[] {
    return [...this.#sessions.values()];
  }

  get closedRuns(): number {
    return this.#closedRuns.size;
  }

  on<Name extends keyof ControllerEvents>(
    name: Name,
    listener: (payload: ControllerEvents[Name]) => void,
  ): Disposable {
    return this.#events.on(name, listener);
  }

  /**
   * Executes one authorized command (E10). Aborting `signal` says that the caller has left: a running command then ends its
   * session. Resolves with the reply, or with a failure of table X; never rejects.
   */
  async call(call: GovernedCall, signal: AbortSignal): Promise<CallResult> {
    const refusal = refusalOfCall(call, this.#parts.clock.now(), this.#parts.workers);
    if (refusal !== null) return fail(refusal);
    this.#prune();
    const session = this.#admit(call);
    return session.ok ? session.value.submit(call, signal).reply : session;
  }

  /** Ends a run's sessions and refuses its later calls; returns at once (E44). */
  cancel(run: RunName): void {
    this.#prune();
    const key = runKey(run);
    const sessions = this.#sessionsOf(key);
    const deadline = Math.max(...sessions.map((session) => session.run.deadline));
    if (sessions.length > 0) this.#remember(key, deadline);
    for (const session of sessions) session.stop();
  }

  /**
   * Cancels a run and waits until everything of it is gone, at most CLOSE_DEADLINE_MS (E45). A session whose cleanup failed
   * stays, and closing again fails with the same text (E46).
   */
  async close(run: RunName): Promise<Result<void, GovernedFailure>> {
    this.cancel(run);
    return this.#seeThrough(this.#sessionsOf(runKey(run)));
  }

  /** Ends everything for good (E47). Fails as `close`. */
  async closeAll(): Promise<Result<void, GovernedFailure>> {
    this.dispose();
    return this.#seeThrough(this.sessions);
  }

  /** Stops everything without waiting; every later call is refused (X15). */
  dispose(): void {
    this.#shutDown = true;
    for (const session of this.#sessions.values()) session.stop();
  }

  /** T4: null when the run has no session of this manifest, or several. */
  transcriptOf(run: RunName, manifest: string): Transcript | null {
    const key = runKey(run);
    const found = this.#sessionsOf(key).filter((session) => session.manifest === manifest);
    return found.length === 1 ? (found[0]?.transcript ?? null) : null;
  }

  /** E10.11 to 14. */
  #admit(call: GovernedCall): Result<GovernedSession, GovernedFailure> {
    const run = runKey(call.run);
    if (this.#shutDown || this.#closedRuns.has(run)) return fail(failure('runClosed'));
    const grants = grantsKey(call);
    const manifest = manifestOf(call);
    const hasOtherGrants = this.#sessionsOf(run).some(
      (session) =>
        session.binding === call.binding && session.manifest === manifest && session.grants !== grants,
    );
    if (hasOtherGrants) return fail(failure('grantsChanged'));
    const existing = this.#sessions.get(sessionKey(call));
    if (existing !== undefined) return existing.accepting ? ok(existing) : fail(failure('sessionClosed'));
    if (this.#sessions.size >= GOVERNED_SESSIONS_MAX) return fail(failure('capacityExhausted'));
    return ok(this.#create(call));
  }

  #create(first: GovernedCall): GovernedSession {
    const { clock, workers, newSessionId } = this.#parts;
    const changed = (session: GovernedSession) => this.#events.fire('sessionChanged', session);
    const session = new GovernedSession({ id: newSessionId(), first, clock, workers, changed });
    this.#sessions.set(session.key, session);
    this.#events.fire('sessionCreated', session);
    return session;
  }

  #sessionsOf(run: string): GovernedSession[] {
    return this.sessions.filter((session) => session.runKey === run);
  }

  /** E5: what failed to clean up is never pruned and keeps its place. */
  #prune(): void {
    const now = this.#parts.clock.now();
    for (const [key, session] of this.#sessions) {
      if (now >= session.run.deadline && session.acknowledgement === 'clean') this.#sessions.delete(key);
    }
    for (const [key, deadline] of this.#closedRuns) if (now >= deadline) this.#closedRuns.delete(key);
  }

  /** E6: one run more than can be remembered, and nothing is trusted any more. */
  #remember(run: string, deadline: number): void {
    if (!this.#closedRuns.has(run) && this.#closedRuns.size >= CLOSED_RUNS_MAX) this.dispose();
    else this.#closedRuns.set(run, deadline);
  }

  async #seeThrough(sessions: readonly GovernedSession[]): Promise<Result<void, GovernedFailure>> {
    const problems = await this.#acknowledgementsOf(sessions);
    const [first] = problems;
    if (first !== undefined) return fail({ ...first, text: problems.map(({ text }) => text).join('; ') });
    for (const session of sessions) this.#sessions.delete(session.key);
    return ok(undefined);
  }

  async #acknowledgementsOf(sessions: readonly GovernedSession[]): Promise<GovernedFailure[]> {
    const { clock } = this.#parts;
    const late = Promise.withResolvers<void>();
    const timer = clock.at(clock.now() + CLOSE_DEADLINE_MS, late.resolve);
    await Promise.race([Promise.all(sessions.map((session) => session.acknowledged)), late.promise]);
    timer.dispose();
    return sessions.flatMap(({ acknowledgement }) => {
      if (acknowledgement === 'clean') return [];
      return [acknowledgement === 'pending' ? failure('acknowledgementTimedOut') : acknowledgement];
    });
  }
}
