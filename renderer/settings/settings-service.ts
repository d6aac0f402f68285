import type { Settings, SettingsProblem } from '../../shared/settings/schema.ts';
import type { Client } from '../connection/client.ts';
import { useSettings } from '../state/settings-store.ts';

interface Told {
  readonly settings: Settings;
  readonly problems: readonly SettingsProblem[];
}

/** Reads the host's settings, and changes them: shown at once and sent in order, so that no change undoes another. */
export class SettingsService {
  readonly #client: Client;
  /** What the host last said. */
  #told: Told = useSettings.getState();
  /** Changes that the host has not answered. Until it has, they are what is shown: each was made from what was shown. */
  #unanswered = 0;

  constructor(client: Client) {
    this.#client = client;
    client.onEvent((event) => {
      if (event.event === 'settings.changed') this.#take(event.snapshot);
    });
  }

  async load(): Promise<void> {
    const answer = await this.#client.request('settings.read', {});
    if (answer.ok) this.#take(answer.value);
  }

  /**
   * Applies `change` to the settings that are shown. Resolves with whether the host kept it; when it did not, the host's
   * settings return and the reason stands in the store. What is asked of the host afterwards finds the change made.
   */
  async change(change: (settings: Settings) => Settings): Promise<boolean> {
    const before = useSettings.getState().settings;
    const settings = change(before);
    if (settings === before) return true;
    useSettings.setState({ settings, saveError: null });
    this.#unanswered += 1;
    const answer = await this.#client.request('settings.replace', { settings });
    this.#unanswered -= 1;
    // A later change that was kept has brought what was refused before it along.
    useSettings.setState({ saveError: answer.ok ? null : answer.error.message });
    this.#take(answer.ok ? answer.value : this.#told);
    return answer.ok;
  }

  #take({ settings, problems }: Told): void {
    this.#told = { settings, problems };
    if (this.#unanswered > 0) return;
    useSettings.setState({ settings, problems, loaded: true });
  }
}
