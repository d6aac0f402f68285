import { type Disposable, toDisposable } from '../../shared/disposable.ts';
import type { EngineStatus } from '../../shared/terminal/engine-status.ts';
import type { SandboxEngine } from '../sandbox/engine.ts';

/** What each engine said of itself when it was last asked. Probing starts programs, so it is done once at a time. */
export class EngineCatalog {
  readonly #engines: readonly SandboxEngine[];
  readonly #listeners = new Set<(statuses: EngineStatus[]) => void>();
  #last: EngineStatus[] | null = null;
  #probing: Promise<EngineStatus[]> | null = null;

  constructor(engines: readonly SandboxEngine[]) {
    this.#engines = engines;
  }

  /** The last answers, or fresh ones when there are none or `refresh` asks for them. */
  list(refresh = false): Promise<EngineStatus[]> {
    if (this.#probing !== null) return this.#probing;
    if (this.#last !== null && !refresh) return Promise.resolve(this.#last);
    this.#probing = this.#probe().finally(() => {
      this.#probing = null;
    });
    return this.#probing;
  }

  /** Called when a probe found anything else than the one before. */
  onChange(listener: (statuses: EngineStatus[]) => void): Disposable {
    this.#listeners.add(listener);
    return toDisposable(() => this.#listeners.delete(listener));
  }

  async #probe(): Promise<EngineStatus[]> {
    const before = this.#last;
    const now = await Promise.all(this.#engines.map((engine) => engine.probe()));
    this.#last = now;
    if (before !== null && JSON.stringify(before) !== JSON.stringify(now)) {
      for (const listener of this.#listeners) listener(now);
    }
    return now;
  }
}
