import { userInfo } from 'node:os';
import { type Disposable, DisposableStore, toDisposable } from '../../shared/disposable.ts';
import { Emitter } from '../../shared/emitter.ts';
import type {
  ApprovalPayload,
  ApprovalQueue as ApprovalQueueData,
  ApprovalRecord,
  ApprovalRequest,
} from '../../shared/governed/approval.ts';
import { APPROVAL, DECISION_LIFETIME_MS, SYMBIONT } from '../../shared/governed/limits.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { type Clock, systemClock } from '../governed/controller/clock.ts';
import type { Approvals, AuditLog, Decision } from '../governed/ports.ts';
import { bindRequest, type Question } from './request.ts';
import { Viewings } from './viewings.ts';

export type Approver = { readonly surface: string; readonly id: string; readonly display: string };

/** What a decision by a person names: the request, its content, and the showing that was read. */
export interface Binding {
  readonly id: string;
  readonly digest: string;
}

/** What became of a decision that has to be carried elsewhere before it counts. */
export type Delivery =
  | { readonly kind: 'delivered' }
  /** It had no effect there. */
  | { readonly kind: 'refused'; readonly text: string }
  /** It may or may not have taken effect (A12). */
  | { readonly kind: 'unknown'; readonly text: string };

/** A question, and what else a source wants done. */
export interface HeldQuestion extends Question {
  /** Carries a person's decision to whoever asked; called once, after it was recorded. */
  deliver?(outcome: 'approved' | 'denied', reason: string | null): Promise<Delivery>;
}

export interface ApprovalQueueOptions {
  readonly audit: AuditLog;
  readonly clock?: Clock;
  /** Milliseconds that a person has for Airlock's own questions (A5). */
  readonly waitMs?: number | undefined;
}

interface OwnQuestion {
  readonly sessionId: string;
  readonly title: string;
  readonly payload: ApprovalPayload;
  /** Left out: as long as this host gives for any. */
  readonly waitMs?: number;
}

/** One request that waits. `deadline` is of the steady clock. */
export interface Waiting {
  readonly request: ApprovalRequest;
  readonly question: HeldQuestion;
  readonly deadline: number;
  readonly viewings: Viewings;
}

interface Entry extends Waiting {
  /** The one use is taken once it is not `waiting`; what is being carried elsewhere no longer expires here. */
  state: 'waiting' | 'recording' | 'delivering';
  readonly owned: DisposableStore;
  /** Resolves when it is over. */
  readonly over: Promise<unknown>;
  readonly settle: (decision: Decision) => void;
}

interface Settlement {
  readonly outcome: ApprovalRecord['outcome'];
  readonly reason: string | null;
  readonly approver: Approver | null;
}

/**
 * Every question that waits for a person, and what became of the last ones. A decision names a request and the digest of
 * its content and is good once (A4); whatever happens is in the audit log before it takes effect, and what cannot be
 * recorded is not approved. Deadlines run on the steady clock: a change of the wall clock neither gives nor takes time,
 * and while the machine sleeps the clock stands still (B27). At the deadline the deadline wins (A9).
 */
export class ApprovalQueue implements Approvals, Disposable {
  readonly #audit: AuditLog;
  readonly #clock: Clock;
  readonly #waitMs: number;
  readonly #entries = new Map<string, Entry>();
  readonly #records: ApprovalRecord[] = [];
  readonly #events = new Emitter<{ changed: undefined }>();
  /** Questions that are being recorded count as well. */
  #open = 0;
  #openOfOthers = 0;
  #revision = 0;
  #closed = false;

  constructor({ audit, clock = systemClock, waitMs = APPROVAL.waitMs }: ApprovalQueueOptions) {
    this.#audit = audit;
    this.#clock = clock;
    this.#waitMs = waitMs;
  }

  /** Counts every change; `onChange` tells of them. */
  get revision(): number {
    return this.#revision;
  }

  onChange(listener: () => void): Disposable {
    return this.#events.on('changed', listener);
  }

  ask(
    { sessionId, title, payload, waitMs = this.#waitMs }: OwnQuestion,
    signal: AbortSignal,
  ): Promise<Decision> {
    const own = { source: 'airlock', kind: payload.kind, content: payload, obstacle: null } as const;
    return this.hold({ sessionId, title, waitMs, ...own }, signal);
  }

  /** As `ask`, for other sources of questions. Never rejects. */
  async hold(question: HeldQuestion, signal: AbortSignal): Promise<Decision> {
    const deadline = this.#clock.now() + question.waitMs;
    if (signal.aborted) return { outcome: 'cancelled', text: 'cancelled' };
    const bound = this.#admit(question);
    if (!bound.ok) return this.#refuse(question, bound.error);
    const request = bound.value;
    const ofOthers = request.source === 'airlock' ? 0 : 1;
    this.#open += 1;
    this.#openOfOthers += ofOthers;
    try {
      const requested = await this.#record('approval.requested', request, { payload: request.payload });
      if (!requested) return { outcome: 'denied', text: 'approval request could not be recorded' };
      return await this.#wait(request, question, deadline, signal);
    } finally {
      this.#open -= 1;
      this.#openOfOthers -= ofOthers;
    }
  }

  /** Whether one more question of another program would be admitted; they never take the room of Airlock's own. */
  get hasRoomForOthers(): boolean {
    return this.#openOfOthers < SYMBIONT.offeredMax && this.#open < APPROVAL.pendingMax;
  }

  /** Oldest first. */
  waiting(): readonly Waiting[] {
    return [...this.#entries.values()];
  }

  find(id: string): Waiting | null {
    return this.#entries.get(id) ?? null;
  }

  /** Milliseconds that a person still has. */
  leftMs({ deadline }: Waiting): number {
    return Math.max(0, deadline - this.#clock.now());
  }

  /** For the main page: no payloads, and nothing that could decide. `recent` is newest first. */
  view(): ApprovalQueueData {
    const pending = this.waiting().map(({ request }) => withoutPayload(request));
    return { pending, recent: this.#records.slice(0, APPROVAL.recentMax) };
  }

  /** Newest first, at most APPROVAL.historyMax. */
  history(): readonly ApprovalRecord[] {
    return this.#records;
  }

  /** A person approves. Fails with words; the request then still waits, unless they say that it is over. */
  async approve(
    binding: Binding & { readonly viewing: string },
    approver: Approver,
  ): Promise<Result<ApprovalRecord, string>> {
    const found = this.#take(binding);
    if (!found.ok) return found;
    const entry = found.value;
    const obstacle = entry.question.obstacle ?? entry.viewings.obstacle(binding.viewing);
    if (obstacle !== null) return fail(obstacle);
    return ok(await this.#decide(entry, { outcome: 'approved', reason: null, approver }));
  }

  /** A person denies; possible at any time, read or not. Fails as `approve`. */
  async deny(binding: Binding, reason: string, approver: Approver): Promise<Result<ApprovalRecord, string>> {
    const found = this.#take(binding);
    if (!found.ok) return found;
    const given = reason.trim().slice(0, APPROVAL.reasonMaxChars).toWellFormed();
    return ok(await this.#decide(found.value, { outcome: 'denied', reason: given || null, approver }));
  }

  /** Takes every question away. */
  dispose(): void {
    void this.close();
  }

  /**
   * As `dispose`; resolves when that is in the audit log, which must not be closed before. What is being delivered is
   * waited for: whoever delivers ends it.
   */
  async close(): Promise<void> {
    this.#closed = true;
    const entries = [...this.#entries.values()];
    await Promise.all(entries.map((entry) => this.#cancel(entry, 'Airlock ended')));
    await Promise.all(entries.map(({ over }) => over));
  }

  #admit(question: HeldQuestion): Result<ApprovalRequest, string> {
    if (this.#closed) return fail('required approval relay is unavailable');
    if (this.#open >= APPROVAL.pendingMax) return fail(`${APPROVAL.pendingMax} approvals wait already`);
    if (question.source !== 'airlock' && !this.hasRoomForOthers)
      return fail(`${SYMBIONT.offeredMax} approvals of other programs wait already`);
    return bindRequest(question, this.#clock.wall());
  }

  async #refuse({ sessionId, title }: HeldQuestion, text: string): Promise<Decision> {
    await this.#append('approval.refused', sessionId, { title: title.slice(0, 200).toWellFormed(), text });
    return { outcome: 'denied', text };
  }

  #wait(
    request: ApprovalRequest,
    question: HeldQuestion,
    deadline: number,
    signal: AbortSignal,
  ): Promise<Decision> {
    const { promise: over, resolve: settle } = Promise.withResolvers<Decision>();
    const owned = new DisposableStore();
    const entry: Entry = {
      request,
      question,
      deadline,
      viewings: new Viewings(this.#clock),
      state: 'waiting',
      owned,
      over,
      settle,
    };
    this.#entries.set(request.id, entry);
    owned.add(this.#expireAt(entry));
    const cancel = () => void this.#cancel(entry, 'cancelled');
    signal.addEventListener('abort', cancel);
    owned.add(toDisposable(() => signal.removeEventListener('abort', cancel)));
    this.#changed();
    if (signal.aborted) cancel();
    else if (this.#closed) void this.#cancel(entry, 'Airlock ended');
    return over;
  }

  #expireAt(entry: Entry): Disposable {
    return this.#clock.at(entry.deadline, () => {
      if (entry.state !== 'delivering') void this.#expire(entry);
    });
  }

  /** The one use of a request, or why there is none. */
  #take({ id, digest }: Binding): Result<Entry, string> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return fail(this.#whatBecameOf(id));
    if (entry.state !== 'waiting') return fail('This request is being decided already.');
    if (this.#isOver(entry)) return fail('This request has expired.');
    if (entry.request.digest !== digest) return fail('The content of this request is not what was shown.');
    return ok(entry);
  }

  #whatBecameOf(id: string): string {
    const record = this.#records.find(({ request }) => request.id === id);
    if (record === undefined) return 'There is no such request.';
    if (record.outcome === 'expired') return 'This request has expired.';
    if (record.outcome === 'unknown') return 'This request was decided, and its outcome is unknown.';
    return `This request was ${record.outcome}.`;
  }

  async #decide(entry: Entry, wanted: Settlement): Promise<ApprovalRecord> {
    entry.state = 'recording';
    const recorded = await this.#recordOutcome(entry, wanted);
    if (!this.#entries.has(entry.request.id)) return this.#lastRecord(entry);
    if (this.#isOver(entry)) return this.#expire(entry);
    if (!recorded && wanted.outcome === 'approved') return this.#settle(entry, UNRECORDED);
    return this.#settle(entry, await this.#delivered(entry, wanted));
  }

  async #delivered(entry: Entry, wanted: Settlement): Promise<Settlement> {
    if (entry.question.deliver === undefined) return wanted;
    entry.state = 'delivering';
    const { outcome, reason } = wanted;
    const delivery = await entry.question
      .deliver(outcome === 'approved' ? 'approved' : 'denied', reason)
      .catch((fault): Delivery => ({ kind: 'unknown', text: String(fault) }));
    await this.#record('approval.delivered', entry.request, { outcome, delivery });
    if (delivery.kind === 'delivered') return wanted;
    const { approver } = wanted;
    return {
      outcome: delivery.kind === 'unknown' ? 'unknown' : 'cancelled',
      reason: delivery.text,
      approver,
    };
  }

  async #expire(entry: Entry): Promise<ApprovalRecord> {
    return this.#close(entry, { outcome: 'expired', reason: null, approver: null });
  }

  /**
   * A9: the entry goes at once, also while a decision is being recorded, which then has no effect. One that is being
   * delivered may have taken effect already: only whoever delivers it knows.
   */
  async #cancel(entry: Entry, reason: string): Promise<void> {
    if (entry.state === 'delivering') return;
    await this.#close(entry, { outcome: 'cancelled', reason, approver: null });
  }

  /** Ends a request without a person. It is out of reach of any decision before the record is written. */
  async #close(entry: Entry, settlement: Settlement): Promise<ApprovalRecord> {
    if (!this.#entries.delete(entry.request.id)) return this.#lastRecord(entry);
    const record = this.#remember(entry, settlement);
    await this.#recordOutcome(entry, settlement);
    entry.settle(this.#decisionOf(entry, settlement));
    return record;
  }

  #settle(entry: Entry, settlement: Settlement): ApprovalRecord {
    if (!this.#entries.delete(entry.request.id)) return this.#lastRecord(entry);
    const record = this.#remember(entry, settlement);
    entry.settle(this.#decisionOf(entry, settlement));
    return record;
  }

  #remember({ request, owned }: Entry, settlement: Settlement): ApprovalRecord {
    owned.dispose();
    const record: ApprovalRecord = {
      request: withoutPayload(request),
      ...settlement,
      decidedAt: new Date(this.#clock.wall()).toISOString(),
    };
    this.#records.unshift(record);
    this.#records.length = Math.min(this.#records.length, APPROVAL.historyMax);
    this.#changed();
    return record;
  }

  #lastRecord({ request }: Entry): ApprovalRecord {
    const record = this.#records.find((candidate) => candidate.request.id === request.id);
    if (record === undefined) throw new Error(`request ${request.id} is over and has no record`);
    return record;
  }

  #recordOutcome({ request }: Entry, { outcome, reason, approver }: Settlement): Promise<boolean> {
    return this.#record(`approval.${outcome}`, request, { reason, approver });
  }

  #record(event: string, request: ApprovalRequest, data: Record<string, unknown>): Promise<boolean> {
    const { id, digest, kind, title, createdAt, expiresAt } = request;
    const about = { approvalId: id, digest, kind, title, createdAt, expiresAt };
    return this.#append(event, request.sessionId, { ...about, ...data });
  }

  /** False when it is not on the disk. */
  async #append(event: string, sessionId: string, data: Record<string, unknown>): Promise<boolean> {
    try {
      await this.#audit.append({ event, sessionId: sessionId || null, data });
      return true;
    } catch {
      return false;
    }
  }

  /** A6, A8. */
  #decisionOf({ request, question }: Entry, { outcome, reason, approver }: Settlement): Decision {
    if (outcome === 'approved' && approver !== null) {
      const goodForMs = Math.min(DECISION_LIFETIME_MS, question.waitMs);
      return { outcome, approvalId: request.id, approver, goodUntil: this.#clock.now() + goodForMs };
    }
    if (outcome === 'expired') return { outcome, text: 'timeout' };
    if (outcome === 'cancelled' || outcome === 'unknown')
      return { outcome: 'cancelled', text: reason ?? 'cancelled' };
    return { outcome: 'denied', text: reason ?? 'denied by operator' };
  }

  #isOver({ deadline }: Waiting): boolean {
    return this.#clock.now() >= deadline;
  }

  #changed(): void {
    this.#revision += 1;
    this.#events.fire('changed', undefined);
  }
}

const UNRECORDED: Settlement = {
  outcome: 'denied',
  reason: 'the decision could not be recorded, so nothing was approved',
  approver: null,
};

function withoutPayload({ payload: _, ...rest }: ApprovalRequest): Omit<ApprovalRequest, 'payload'> {
  return rest;
}

/** The person at this host, as the record names them. `surface`: `desktop` or `browser`. */
export function localApprover(surface: string): Approver {
  const { uid, username } = userInfo();
  return { surface, id: String(uid), display: username };
}
