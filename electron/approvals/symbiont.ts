import type { Disposable } from '../../shared/disposable.ts';
import { Emitter } from '../../shared/emitter.ts';
import { APPROVAL, SYMBIONT } from '../../shared/governed/limits.ts';
import { asciiJson } from '../../shared/terminal/exact-text.ts';
import type { ApprovalQueue, Delivery } from './approval-queue.ts';
import { canonicalJson } from './request.ts';
import { type HeldAction, SymbiontApi, type SymbiontEndpoint } from './symbiont-api.ts';

export interface SymbiontOptions {
  readonly endpoint: SymbiontEndpoint;
  readonly queue: ApprovalQueue;
  /** Names the profile in lists and in the audit log. */
  readonly profileId: string;
}

export type SymbiontStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'following'; readonly version: string }
  /** Nothing of it is offered meanwhile; it is asked again. */
  | { readonly kind: 'failing'; readonly text: string };

/** One action as it was read: `snapshot` is what a person is shown and what must still hold when it is decided. */
interface Followed {
  readonly snapshot: string;
  readonly gone: AbortController;
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
  readonly #events = new Emitter<{ status: SymbiontStatus }>();
  #status: SymbiontStatus = { kind: 'connecting' };
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(options: SymbiontOptions) {
    this.#options = options;
    this.#api = new SymbiontApi(options.endpoint);
  }

  get status(): SymbiontStatus {
    return this.#status;
  }

  onStatus(listener: (status: SymbiontStatus) => void): Disposable {
    return this.#events.on('status', listener);
  }

  /** Polls from now on until it is disposed (A11). */
  start(): void {
    void this.#poll();
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#forgetAll();
  }

  async #poll(): Promise<void> {
    await this.#look();
    if (!this.#disposed) this.#timer = setTimeout(() => void this.#poll(), SYMBIONT.pollMs);
  }

  async #look(): Promise<void> {
    const version = this.#status.kind === 'following' ? this.#status.version : await this.#readVersion();
    if (version === null) return;
    const held = await this.#api.held();
    if (this.#disposed) return;
    if (!held.ok) {
      this.#fail(held.error.text);
      return;
    }
    this.#become({ kind: 'following', version });
    this.#follow(held.value, version);
  }

  async #readVersion(): Promise<string | null> {
    const version = await this.#api.version();
    if (version.ok) return version.value;
    if (!this.#disposed) this.#fail(version.error.text);
    return null;
  }

  /** A12: of a list that cannot be read nothing is offered. */
  #fail(text: string): void {
    this.#forgetAll();
    this.#become({ kind: 'failing', text });
  }

  #follow(actions: readonly HeldAction[], version: string): void {
    const snapshots = new Map(actions.map((action) => [action.id, canonicalJson(action)]));
    for (const [id, followed] of this.#followed) {
      if (snapshots.get(id) === followed.snapshot) continue;
      followed.gone.abort();
      this.#followed.delete(id);
    }
    for (const action of actions) {
      const snapshot = snapshots.get(action.id);
      if (snapshot != null && !this.#followed.has(action.id)) this.#ask(action, snapshot, version);
    }
  }

  #ask(action: HeldAction, snapshot: string, version: string): void {
    const leftMs = Math.min(Date.parse(action.expires_at) - Date.now(), APPROVAL.waitMaxMs);
    if (leftMs <= 0) return;
    const followed: Followed = { snapshot, gone: new AbortController() };
    this.#followed.set(action.id, followed);
    void this.#options.queue.hold(
      {
        source: 'symbiont',
        kind: 'command',
        sessionId: `symbiont:${this.#options.profileId}`,
        title: action.summary,
        content: action,
        waitMs: leftMs,
        obstacle: obstacleOf(action, version),
        deliver: (outcome, reason) => this.#deliver(action.id, followed, outcome, reason),
      },
      followed.gone.signal,
    );
  }

  /** A12: what was read is what is decided, or nothing is. Nor is anything approved that has expired meanwhile. */
  async #deliver(
    id: string,
    followed: Followed,
    outcome: 'approved' | 'denied',
    reason: string | null,
  ): Promise<Delivery> {
    const held = await this.#api.held();
    if (!held.ok) return { kind: 'refused', text: `Not sent: ${held.error.text}` };
    const now = held.value.find((action) => action.id === id);
    if (now === undefined) return { kind: 'refused', text: 'Not sent: it is no longer held.' };
    if (canonicalJson(now) !== followed.snapshot)
      return { kind: 'refused', text: 'Not sent: it has changed.' };
    if (Date.parse(now.expires_at) <= Date.now())
      return { kind: 'refused', text: 'Not sent: it has expired.' };
    const sent = await this.#api.decide(id, outcome === 'approved' ? 'approve' : 'deny', reason);
    return sent.ok ? { kind: 'delivered' } : sent.error;
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

/** A11, A12: what cannot be approved from here, in words. */
function obstacleOf(action: HeldAction, version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (!(major > 1 || (major === 1 && minor >= 21))) {
    return `Symbiont ${version} does not bind what it holds to its arguments; approve it there.`;
  }
  const shown = asciiJson(JSON.stringify(action, null, 2));
  if (Buffer.byteLength(shown) <= SYMBIONT.shownMaxBytes) return null;
  return `Its content is larger than ${SYMBIONT.shownMaxBytes / 1024} KiB; it cannot be read here to its end.`;
}
