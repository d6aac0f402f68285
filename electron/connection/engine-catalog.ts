import { type Disposable, toDisposable } from '../../shared/disposable.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import { ENGINE_NAMES, type EngineStatus } from '../../shared/terminal/engine-status.ts';
import { PROBE_DEADLINE_MS } from '../../shared/terminal/limits.ts';
import type { SandboxEngine } from '../sandbox/engine.ts';
import { withDeadline } from '../session/deadline.ts';

/** What each engine said of itself when it was last asked. Probing starts programs, so it is done once at a time. */
export class EngineCatalog {
  readonly #engines: readonly SandboxEngine[];
  readonly #listeners = new Set<(statuses: EngineStatus[]) => void>();
  #last: EngineStatus[] | null = null;
  #probing: Promise<EngineStatus[]> | null = null;
  /** Follows the probe that is under way: for all who want fresh answers and came after it had begun. */
  #following: Promise<EngineStatus[]> | null = null;

  constructor(engines: readonly SandboxEngine[]) {
    this.#engines = engines;
  }

  /** The last answers, or fresh ones when there are none or `refresh` asks for them. */
  list(refresh = false): Promise<EngineStatus[]> {
    if (this.#probing !== null) return refresh ? this.#follow(this.#probing) : this.#probing;
    if (this.#last !== null && !refresh) return Promise.resolve(this.#last);
    return this.#begin();
  }

  /** Whether the engine of `profile` is usable with the profile's values. Never rejects; keeps nothing. */
  async check(profile: Profile): Promise<EngineStatus> {
    const engine = this.#engines.find(({ kind }) => kind === profile.engine);
    return engine === undefined ? notHere(profile) : probeInTime(engine, profile);
  }

  /** Called when a probe found anything else than the one before. */
  onChange(listener: (statuses: EngineStatus[]) => void): Disposable {
    this.#listeners.add(listener);
    return toDisposable(() => this.#listeners.delete(listener));
  }

  #begin(): Promise<EngineStatus[]> {
    this.#probing = this.#probe().finally(() => {
      this.#probing = null;
    });
    return this.#probing;
  }

  #follow(probing: Promise<EngineStatus[]>): Promise<EngineStatus[]> {
    this.#following ??= probing.then(() => {
      this.#following = null;
      return this.#probing ?? this.#begin();
    });
    return this.#following;
  }

  async #probe(): Promise<EngineStatus[]> {
    const before = this.#last;
    const now = await Promise.all(this.#engines.map((engine) => probeInTime(engine)));
    this.#last = now;
    if (before !== null && JSON.stringify(before) !== JSON.stringify(now)) {
      for (const listener of this.#listeners) listener(now);
    }
    return now;
  }
}

/** An engine that does not answer is not usable; it holds up none of the others. */
function probeInTime(engine: SandboxEngine, profile?: Profile): Promise<EngineStatus> {
  return withDeadline(engine.probe(profile), PROBE_DEADLINE_MS, () => ({
    kind: engine.kind,
    usable: false,
    version: null,
    summary: `The engine did not say within ${PROBE_DEADLINE_MS / 1_000} seconds whether it can be used.`,
    fixes: [{ text: 'See whether what it needs answers on this machine, then check again.', command: null }],
    notes: [],
  }));
}

function notHere({ engine }: Profile): EngineStatus {
  return {
    kind: engine,
    usable: false,
    version: null,
    summary: `This host has no engine “${ENGINE_NAMES[engine]}”. Sessions of this profile cannot be opened here.`,
    fixes: [
      { text: 'Choose another engine, or open the profile on a host that has this one.', command: null },
    ],
    notes: [],
  };
}
