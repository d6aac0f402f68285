import type { Client } from '../connection/client.ts';
import { useEngines } from '../state/engines-store.ts';

/** What the host knows of its engines. */
export class EnginesService {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
    client.onEvent((event) => {
      if (event.event === 'engines.changed') useEngines.setState({ engines: event.engines });
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
}
