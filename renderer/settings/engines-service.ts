import type { ContainerEndpoint, PullProgress } from '../../shared/protocol/engine-requests.ts';
import type { Client } from '../connection/client.ts';
import { announce } from '../state/announcements-store.ts';
import { showPull, useEngines } from '../state/engines-store.ts';

/** What the host knows of its engines. */
export class EnginesService {
  readonly #client: Client;
  readonly #pulls = new Map<string, (progress: PullProgress) => void>();
  /** The youngest pull of each profile. */
  readonly #pullOf = new Map<string, string>();

  constructor(client: Client) {
    this.#client = client;
    client.onEvent((event) => {
      if (event.event === 'engines.changed') useEngines.setState({ engines: event.engines });
      if (event.event === 'engines.pull-progress') this.#pulls.get(event.pullId)?.(event.progress);
    });
  }

  /** `refresh` probes again; otherwise the host's last answer is taken. */
  async load(refresh = false): Promise<void> {
    useEngines.setState({ probing: true });
    const answer = await this.#client.request('engines.list', { refresh });
    useEngines.setState({
      probing: false,
      ...(answer.ok ? { engines: answer.value, error: null } : { error: answer.error.message }),
    });
  }

  /**
   * Has the daemon fetch an image for a profile; how it goes stands in the store. Resolves with whether the image is there.
   * A profile's earlier pull is given up.
   */
  async pull(profileId: string, endpoint: ContainerEndpoint, image: string): Promise<boolean> {
    const before = useEngines.getState().pulls[profileId];
    if (before?.kind === 'running') before.cancel();
    const pullId = crypto.randomUUID();
    const cancel = () => void this.#client.request('containers.cancel-pull', { pullId });
    const show = (progress: PullProgress | null) =>
      showPull(profileId, { kind: 'running', image, progress, cancel });
    show(null);
    this.#pulls.set(pullId, show);
    this.#pullOf.set(profileId, pullId);
    const done = await this.#client.request('containers.pull', { ...endpoint, pullId, image });
    this.#pulls.delete(pullId);
    // A younger pull of the profile is none of this one's business, nor is how it ended.
    if (this.#pullOf.get(profileId) !== pullId) return false;
    const given = done.ok || done.error.tag === 'pull-cancelled';
    showPull(profileId, given ? null : { kind: 'failed', image, reason: done.error.message });
    announce(done.ok ? `${image} is there.` : `${image}: ${done.error.message}`);
    return done.ok;
  }
}
