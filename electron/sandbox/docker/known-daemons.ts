import type { DaemonInfo } from './answers.ts';
import { DockerClient } from './client.ts';
import type { DockerEndpoint } from './endpoint.ts';
import { removeLeftOver } from './labels.ts';

/** Milliseconds for which a daemon is taken to be what it said it was: Podman needs half a second to say it. */
const KNOWN_MS = 60_000;

/** A daemon that answers, and what it is able to. */
export interface KnownDaemon {
  readonly client: DockerClient;
  readonly info: DaemonInfo;
}

/** The daemons that an engine has to do with, by address. */
export class KnownDaemons {
  readonly #known = new Map<string, KnownDaemon & { readonly until: number }>();
  readonly #swept = new Set<string>();

  /**
   * Rejects with DaemonError where it does not answer. The first time it is also asked for what dead hosts left with it before
   * they knew what they had started (ST-26).
   */
  async reach(endpoint: DockerEndpoint, signal: AbortSignal): Promise<KnownDaemon> {
    const key = endpoint.kind === 'tcp' ? `${endpoint.address} ${endpoint.certificates}` : endpoint.address;
    const before = this.#known.get(key);
    if (before && performance.now() < before.until) return before;
    this.#known.delete(key);
    const known = await askAnew(endpoint, signal);
    await this.#sweep(known.client, key);
    this.#known.set(key, { ...known, until: performance.now() + KNOWN_MS });
    return known;
  }

  /** To be called when it did not do what it should: the next time it is asked again. */
  forget(client: DockerClient): void {
    for (const [key, known] of this.#known) if (known.client === client) this.#known.delete(key);
  }

  async #sweep(client: DockerClient, key: string): Promise<void> {
    if (this.#swept.has(key)) return;
    this.#swept.add(key);
    // What cannot be removed now is looked at by the next host.
    await removeLeftOver(client).catch(() => this.#swept.delete(key));
  }
}

/** What a daemon is now. */
export async function askAnew(endpoint: DockerEndpoint, signal: AbortSignal): Promise<KnownDaemon> {
  const client = await DockerClient.connect(endpoint, signal);
  return { client, info: await client.info(signal) };
}
