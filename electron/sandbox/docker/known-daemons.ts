import { settledWithin } from '../wait.ts';
import type { DaemonInfo } from './answers.ts';
import { DockerClient } from './client.ts';
import type { DockerEndpoint } from './endpoint.ts';
import { removeLeftOver } from './labels.ts';

/** Milliseconds for which a daemon is taken to be what it said it was: Podman needs half a second to say it. */
const KNOWN_MS = 60_000;

/** Milliseconds that an opening waits for the removal of what dead hosts left. */
const SWEEP_MS = 3_000;

/** A daemon that answers, and what it is able to. */
export interface KnownDaemon {
  readonly client: DockerClient;
  readonly info: DaemonInfo;
}

/** The daemons that an engine has to do with, by address. Who asks while one is being asked gets the same answer. */
export class KnownDaemons {
  readonly #known = new Map<string, { readonly daemon: Promise<KnownDaemon>; readonly until: number }>();
  readonly #swept = new Set<string>();
  readonly #onSwept: (endpoint: DockerEndpoint) => void;

  /** `onSwept` is told of each daemon that has nothing any more of what dead hosts left with it. */
  constructor(onSwept: (endpoint: DockerEndpoint) => void = () => {}) {
    this.#onSwept = onSwept;
  }

  /**
   * Rejects with DaemonError where it does not answer. The first time it is also asked for what dead hosts left with it before
   * they knew what they had started (ST-26).
   */
  reach(endpoint: DockerEndpoint): Promise<KnownDaemon> {
    const key = endpoint.kind === 'tcp' ? `${endpoint.address} ${endpoint.certificates}` : endpoint.address;
    const before = this.#known.get(key);
    if (before && performance.now() < before.until) return before.daemon;
    const daemon = this.#ask(endpoint, key);
    this.#known.set(key, { daemon, until: performance.now() + KNOWN_MS });
    daemon.catch(() => this.#known.delete(key));
    return daemon;
  }

  /** To be called when one did not do what it should: the next time they are asked again. */
  forget(): void {
    this.#known.clear();
  }

  async #ask(endpoint: DockerEndpoint, key: string): Promise<KnownDaemon> {
    const known = await askAnew(endpoint);
    if (this.#swept.has(key)) return known;
    this.#swept.add(key);
    // What cannot be removed now is tried again when this daemon is next asked what it is. Nobody waits for more than a moment: it goes on meanwhile.
    const sweeping = removeLeftOver(known.client).then(
      () => this.#onSwept(endpoint),
      () => this.#swept.delete(key),
    );
    await settledWithin(sweeping, SWEEP_MS);
    return known;
  }
}

/** What a daemon is now. Takes as long as its calls may take, unless `signal` ends it. */
export async function askAnew(endpoint: DockerEndpoint, signal?: AbortSignal): Promise<KnownDaemon> {
  const client = await DockerClient.connect(endpoint, signal);
  return { client, info: await client.info(signal) };
}
