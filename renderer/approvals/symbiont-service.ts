import type { Client } from '../connection/client.ts';
import { Refresh } from '../connection/refresh.ts';
import { useSymbiont } from '../state/symbiont-store.ts';

/** The Symbiont runtimes that the host follows. A token goes to the host and is kept nowhere here. */
export class SymbiontService {
  readonly #client: Client;
  readonly #refresh = new Refresh(() => this.#load());

  constructor(client: Client) {
    this.#client = client;
    client.onEvent((event) => {
      if (event.event === 'symbiont.changed') void this.#refresh.ask();
    });
    client.onState((state) => {
      if (state.kind !== 'connected') useSymbiont.setState({ runtimes: null });
    });
  }

  load(): Promise<void> {
    return this.#refresh.ask();
  }

  /** Resolves with what went wrong, or null. */
  async saveToken(profileId: string, token: string): Promise<string | null> {
    const answer = await this.#client.request('symbiont.set-token', { profileId, token });
    return answer.ok ? null : answer.error.message;
  }

  async forgetToken(profileId: string): Promise<string | null> {
    const answer = await this.#client.request('symbiont.forget-token', { profileId });
    return answer.ok ? null : answer.error.message;
  }

  async #load(): Promise<void> {
    const answer = await this.#client.request('symbiont.list', {});
    if (answer.ok) useSymbiont.setState({ runtimes: answer.value.runtimes });
  }
}
