import type { Disposable } from '../../shared/disposable.ts';
import { Emitter } from '../../shared/emitter.ts';
import type { HeldElsewhere } from '../../shared/governed/approval.ts';
import { APPROVAL, SYMBIONT } from '../../shared/governed/limits.ts';
import type { SymbiontStatus } from '../../shared/governed/symbiont.ts';
import { ok } from '../../shared/result.ts';
import { asciiJson } from '../../shared/terminal/exact-text.ts';
import type { ApprovalQueue, Delivery } from './approval-queue.ts';
import { canonicalJson } from './request.ts';
import { type Held, type HeldAction, SymbiontApi, type SymbiontError } from './symbiont-api.ts';

/** Milliseconds between looks: see SYMBIONT. */
export type Pacing = { readonly [K in 'pollMs' | 'failingPollMaxMs' | 'limitedPollMs']: number };

export interface SymbiontOptions {
  /** Id and name of the profile are shown with every request and kept in the audit log. */
  readonly profile: { readonly id: string; readonly name: string; readonly address: string };
  readonly token: string;
  readonly queue: ApprovalQueue;
  readonly pacing?: Pacing;
}

/** One action as it was read: `snapshot` is what a person is shown and what must still hold when it is decided. */
interface Followed {
  readonly snapshot: string;
  readonly version: string;
  readonly gone: AbortController;
  /** A person decided; what became of that is being found out, or known. */
  decided: boolean;
  /** It waits here, or was decided here. */
  offered: boolean;
  /** Nothing is known to have come of the decision: while it is still held there, it is asked anew. */
  again: boolean;
}

/**
 * The approvals that a running `symbi up` holds, asked through this host's queue and page (A11–A14). Symbiont binds
 * nothing that a client read, so this does: what was shown is fetched again before a decision is sent, and has to be the
 * same to the last character (A12). Only what is held in that process is seen (A13).
 */
export class SymbiontApprovals implements Disposable {
  readonly #options: SymbiontOptions;
  readonly #api: SymbiontApi;
  readonly #followed = new Map<string, Followed>();
  readonly #deliveries = new Set<Promise<Delivery>>();
  readonly #events = new Emitter<{ status: SymbiontStatus }>();
  readonly #ending = new AbortController();
  readonly #abandoning = new AbortController();
  #status: SymbiontStatus = { kind: 'connecting' };
  /** Read once while it goes well, and again before every decision; null when it has to be read. */
  #version: string | null = null;
  /** How often another version answered than the one that was read: what was asked before that is asked again. */
  #changes = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #look: Promise<void> = Promise.resolve();

  constructor(options: SymbiontOptions) {
    this.#options = options;
    this.#api = new SymbiontApi({ address: options.profile.address, token: options.token });
  }

  get status(): SymbiontStatus {
    return this.#status;
  }

  onStatus(listener: (status: SymbiontStatus) => void): Disposable {
    return this.#events.on('status', listener);
  }

  /** Polls from now on until it is disposed (A11). */
  start(): void {
    this.#look = this.#poll();
  }

  /** Takes away what waits. A decision that is on its way is still followed to its end. */
  dispose(): void {
    this.#ending.abort();
    clearTimeout(this.#timer);
    this.#events.clear();
    this.#forgetAll();
  }

  /** Resolves when nothing is on its way any more. */
  async idle(): Promise<void> {
    await Promise.allSettled([this.#look, ...this.#deliveries]);
  }

  /** As `dispose`, and gives up waiting for answers: the outcome of a decision that is on its way is unknown then. */
  async close(): Promise<void> {
    this.dispose();
    this.#abandoning.abort();
    await this.idle();
  }

  get #ended(): boolean {
    return this.#ending.signal.aborted;
  }

  async #poll(): Promise<void> {
    const problem = await this.#read();
    if (this.#ended) return;
    if (problem !== null) this.#fail(problem);
    this.#failures = problem === null ? 0 : this.#failures + 1;
    this.#timer = setTimeout(() => {
      this.#look = this.#poll();
    }, this.#pause(problem));
  }

  /** Less and less often while it fails; never sooner than it may be after it was asked too often. */
  #pause(problem: SymbiontError | null): number {
    const { pollMs, failingPollMaxMs, limitedPollMs } = this.#options.pacing ?? SYMBIONT;
    if (problem === null) return pollMs;
    const paused = Math.min(pollMs * 2 ** (this.#failures - 1), failingPollMaxMs);
    return problem.kind === 'limited' ? Math.max(paused, limitedPollMs) : paused;
  }

  /** What is wrong, or null. */
  async #read(): Promise<SymbiontError | null> {
    const { signal } = this.#ending;
    const changes = this.#changes;
    const version = this.#version === null ? await this.#api.version(signal) : ok(this.#version);
    if (!version.ok) return version.error;
    const held = await this.#api.held(signal);
    if (!held.ok) return held.error;
    if (this.#changes !== changes) return this.#read();
    this.#version = version.value;
    if (!this.#ended) this.#follow(held.value, version.value);
    return null;
  }

  /** A12: of a list that cannot be read nothing is offered. */
  #fail({ text }: SymbiontError): void {
    this.#version = null;
    this.#forgetAll();
    this.#become({ kind: 'failing', text });
  }

  #follow(list: readonly Held[], version: string): void {
    const snapshots = new Map(list.map(({ action }) => [action.id, canonicalJson(action)]));
    for (const [id, followed] of this.#followed) {
      if (snapshots.get(id) === followed.snapshot && version === followed.version) continue;
      followed.gone.abort();
      this.#followed.delete(id);
    }
    for (const held of list.toSorted(
      (a, b) => Date.parse(a.action.created_at) - Date.parse(b.action.created_at),
    )) {
      const snapshot = snapshots.get(held.action.id);
      if (snapshot != null && !this.#followed.has(held.action.id)) this.#ask(held, snapshot, version);
    }
    const offered = list.filter(({ action }) => this.#followed.get(action.id)?.offered).length;
    this.#become({ kind: 'following', version, held: list.length, notOffered: list.length - offered });
  }

  #ask({ action, exact }: Held, snapshot: string, version: string): void {
    const { profile, queue } = this.#options;
    const leftMs = Math.min(Date.parse(action.expires_at) - Date.now(), APPROVAL.waitMaxMs);
    if (leftMs <= 0 || !queue.hasRoomForOthers) return;
    const followed: Followed = {
      snapshot,
      version,
      gone: new AbortController(),
      decided: false,
      offered: true,
      again: false,
    };
    this.#followed.set(action.id, followed);
    const { id, name, address } = profile;
    const content: HeldElsewhere = { runtime: { profile: id, name, address, version }, action };
    const question = {
      source: 'symbiont',
      kind: 'command',
      sessionId: `symbiont:${id}`,
      title: action.summary,
      content,
      waitMs: leftMs,
      obstacle: obstacleOf(action, exact, version),
      deliver: (outcome: 'approved' | 'denied', reason: string | null) => {
        followed.decided = true;
        const delivery = this.#deliver(action.id, followed, outcome, reason);
        this.#deliveries.add(delivery);
        void delivery.finally(() => this.#deliveries.delete(delivery));
        return delivery;
      },
    } as const;
    void queue.hold(question, followed.gone.signal).then(() => {
      // What the queue would not take, or nobody decided in time, is held there all the same.
      if (!followed.decided) followed.offered = false;
      if (followed.again && this.#followed.get(action.id) === followed) this.#followed.delete(action.id);
    });
  }

  /** A12: what was read is what is decided, or nothing is. Nor is anything decided that has expired meanwhile. */
  async #deliver(
    id: string,
    followed: Followed,
    outcome: 'approved' | 'denied',
    reason: string | null,
  ): Promise<Delivery> {
    const { signal } = this.#abandoning;
    const obstacle = await this.#whatChanged(id, followed, signal);
    if (obstacle !== null) return { kind: 'refused', text: `Not sent: ${obstacle}` };
    const sent = await this.#api.decide(id, outcome === 'approved' ? 'approve' : 'deny', reason, signal);
    if (sent.ok) return { kind: 'delivered' };
    const { kind, text } = sent.error;
    followed.again = kind !== 'refused';
    if (kind === 'unknown')
      return { kind, text: `${outcome === 'approved' ? 'The approval' : 'The denial'} was sent. ${text}` };
    return { kind: 'refused', text };
  }

  /** Why the decision is not about what is held now; null when it is. */
  async #whatChanged(id: string, followed: Followed, signal: AbortSignal): Promise<string | null> {
    const version = await this.#api.version(signal);
    if (version.ok && version.value !== followed.version) {
      this.#version = null;
      this.#changes += 1;
      return `Symbiont ${version.value} answers there now.`;
    }
    const held = version.ok ? await this.#api.held(signal) : version;
    if (!held.ok) {
      followed.again = true;
      return held.error.text;
    }
    const now = held.value.find(({ action }) => action.id === id)?.action;
    if (now === undefined) return 'It is no longer held.';
    if (canonicalJson(now) !== followed.snapshot) return 'It has changed.';
    return Date.parse(now.expires_at) <= Date.now() ? 'It has expired.' : null;
  }

  #forgetAll(): void {
    for (const { gone } of this.#followed.values()) gone.abort();
    this.#followed.clear();
  }

  #become(status: SymbiontStatus): void {
    if (JSON.stringify(status) === JSON.stringify(this.#status)) return;
    this.#status = status;
    this.#events.fire('status', status);
  }
}

/** A11, A12: why it cannot be approved from here, in words. It can be denied all the same. */
function obstacleOf(action: HeldAction, exact: boolean, version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (!(major > 1 || (major === 1 && minor >= 21))) {
    return `Symbiont ${version} does not bind what it holds to its arguments; approve it there.`;
  }
  if (!exact) return 'It has a number that cannot be shown exactly; approve it there.';
  const shown = asciiJson(JSON.stringify(action, null, 2));
  if (Buffer.byteLength(shown) <= SYMBIONT.shownMaxBytes) return null;
  return `Its content is larger than ${SYMBIONT.shownMaxBytes / 1024} KiB; it cannot be read here to its end.`;
}
