import type { Disposable } from '../../shared/disposable.ts';
import { Emitter } from '../../shared/emitter.ts';
import type { SymbiontRuntime, SymbiontStatus } from '../../shared/governed/symbiont.ts';
import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import { fail, type Result } from '../../shared/result.ts';
import { type SymbiontProfile, symbiontProfiles } from '../../shared/settings/schema.ts';
import type { HostTokens } from '../settings/host-tokens.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { ApprovalQueue } from './approval-queue.ts';
import { type Pacing, SymbiontApprovals } from './symbiont.ts';

export interface SymbiontRuntimesOptions {
  readonly settings: Pick<SettingsStore, 'snapshot' | 'onChange' | 'areOfFile'>;
  readonly tokens: HostTokens;
  readonly queue: ApprovalQueue;
  /** Nothing is asked before it resolves: what could not be recorded could not be approved (A10). Rejects with the reason. */
  readonly recordable: Promise<unknown>;
  readonly pacing?: Pacing;
}

interface Running {
  readonly profile: SymbiontProfile;
  readonly token: string;
  readonly approvals: SymbiontApprovals;
}

/**
 * Follows every Symbiont runtime of the settings that has a token, for as long as the host runs: the one owner of what is
 * asked of them. A change of the settings or of a token starts, ends or restarts it. Tokens go with their profiles, but not
 * when the settings file merely cannot be used, or is away.
 */
export class SymbiontRuntimes implements Disposable {
  readonly #options: SymbiontRuntimesOptions;
  readonly #running = new Map<string, Running>();
  /** Why those that do not run do not. */
  readonly #idle = new Map<string, SymbiontStatus>();
  /** Ended, while a decision of theirs may still be on its way. */
  readonly #ending = new Set<SymbiontApprovals>();
  readonly #events = new Emitter<{ changed: undefined }>();
  readonly #listening: Disposable;
  #recording: 'not-yet' | 'yes' | { readonly problem: string } = 'not-yet';
  /** What the listeners know, as JSON. */
  #told = '[]';
  #closed = false;

  constructor(options: SymbiontRuntimesOptions) {
    this.#options = options;
    this.#listening = options.settings.onChange(() => this.#reconcile());
    options.recordable.then(
      () => this.#recordingIs('yes'),
      (reason: Error) => this.#recordingIs({ problem: `Decisions cannot be recorded: ${reason.message}` }),
    );
    this.#reconcile();
  }

  onChange(listener: () => void): Disposable {
    return this.#events.on('changed', listener);
  }

  /** In the order of the settings. */
  list(): SymbiontRuntime[] {
    return this.#profiles().map(({ id }) => ({
      profileId: id,
      status: this.#running.get(id)?.approvals.status ?? this.#idle.get(id) ?? NO_TOKEN,
    }));
  }

  setToken(profileId: string, token: string): Result<null, TaggedError> {
    const profile = this.#profiles().find(({ id }) => id === profileId);
    if (profile === undefined)
      return fail(taggedError('profile-unknown', 'There is no such Symbiont runtime any more.'));
    return this.#kept(this.#options.tokens.save(profileId, profile.address, token));
  }

  forgetToken(profileId: string): Result<null, TaggedError> {
    return this.#kept(this.#options.tokens.remove(profileId));
  }

  dispose(): void {
    void this.close();
  }

  /** Resolves when nothing is asked of any runtime any more; to be awaited before the queue is closed. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#listening.dispose();
    this.#events.clear();
    const all = [...[...this.#running.values()].map(({ approvals }) => approvals), ...this.#ending];
    this.#running.clear();
    await Promise.all(all.map((approvals) => approvals.close()));
  }

  #profiles(): SymbiontProfile[] {
    return symbiontProfiles(this.#options.settings.snapshot().settings);
  }

  #recordingIs(recording: 'yes' | { readonly problem: string }): void {
    this.#recording = recording;
    this.#reconcile();
  }

  #kept(result: Result<null, string>): Result<null, TaggedError> {
    this.#reconcile();
    return result.ok ? result : fail(taggedError('token-not-kept', result.error));
  }

  /** Makes what runs what the settings and the tokens say. */
  #reconcile(): void {
    if (this.#closed) return;
    const profiles = this.#profiles();
    const ids = new Set(profiles.map(({ id }) => id));
    if (this.#options.settings.areOfFile) this.#options.tokens.keepOnly(ids);
    for (const id of this.#running.keys()) if (!ids.has(id)) this.#stop(id);
    this.#idle.clear();
    for (const profile of profiles) this.#reconcileOne(profile);
    this.#changed();
  }

  #reconcileOne(profile: SymbiontProfile): void {
    const token = this.#options.tokens.read(profile.id, profile.address);
    const idle = this.#whyIdle(token);
    const { profile: before, token: beforeToken } = this.#running.get(profile.id) ?? {};
    const same =
      token.ok &&
      token.value === beforeToken &&
      before?.name === profile.name &&
      before.address === profile.address;
    if (idle === null && same) return;
    this.#stop(profile.id);
    if (idle !== null || !token.ok || token.value === null) this.#idle.set(profile.id, idle ?? NO_TOKEN);
    else this.#start(profile, token.value);
  }

  #whyIdle(token: Result<string | null, string>): SymbiontStatus | null {
    if (!token.ok) return { kind: 'failing', text: token.error };
    if (token.value === null) return NO_TOKEN;
    if (this.#recording === 'not-yet') return { kind: 'connecting' };
    return this.#recording === 'yes' ? null : { kind: 'failing', text: this.#recording.problem };
  }

  #start(profile: SymbiontProfile, token: string): void {
    const { queue, pacing } = this.#options;
    const approvals = new SymbiontApprovals({ profile, token, queue, ...(pacing && { pacing }) });
    approvals.onStatus(() => this.#changed());
    this.#running.set(profile.id, { profile, token, approvals });
    approvals.start();
  }

  #stop(id: string): void {
    const approvals = this.#running.get(id)?.approvals;
    if (approvals === undefined) return;
    this.#running.delete(id);
    this.#ending.add(approvals);
    approvals.dispose();
    void approvals.idle().then(() => this.#ending.delete(approvals));
  }

  /** Most changes of the settings are about something else. */
  #changed(): void {
    const told = JSON.stringify(this.list());
    if (told === this.#told) return;
    this.#told = told;
    this.#events.fire('changed', undefined);
  }
}

const NO_TOKEN: SymbiontStatus = { kind: 'no-token' };
