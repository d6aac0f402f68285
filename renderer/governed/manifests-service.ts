import type { Client } from '../connection/client.ts';
import { Refresh } from '../connection/refresh.ts';
import { useManifests } from '../state/manifests-store.ts';

/** The manifests that there are, kept up to date once a person has asked for them. */
export class ManifestsService {
  readonly #client: Client;
  readonly #refresh = new Refresh(() => this.#load());
  #project: string | null = null;
  #wanted = false;

  constructor(client: Client) {
    this.#client = client;
    client.onEvent((event) => {
      if (event.event === 'manifests.changed' && this.#wanted) void this.#refresh.ask();
    });
    client.onState((state) => {
      if (state.kind !== 'connected') useManifests.setState({ catalog: null });
      else if (this.#wanted) void this.#refresh.ask();
    });
  }

  /** `project`: a folder whose `tools/` is looked into as well. */
  load(project: string | null): Promise<void> {
    this.#project = project;
    this.#wanted = true;
    return this.#refresh.ask();
  }

  async #load(): Promise<void> {
    const project = this.#project;
    const answer = await this.#client.request('manifests.list', project === null ? {} : { project });
    if (answer.ok) useManifests.setState({ catalog: answer.value, error: null });
    else useManifests.setState({ catalog: null, error: answer.error.message });
  }
}
