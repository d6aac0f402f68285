import type { Settings } from '../../shared/settings/schema.ts';
import type { Client } from '../connection/client.ts';
import { showSettings, useSettings } from '../state/settings-store.ts';

/** Reads the host's settings and writes changes back, one after the other, so that no change undoes another. */
export class SettingsService {
  readonly #client: Client;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(client: Client) {
    this.#client = client;
    client.onEvent((event) => {
      if (event.event === 'settings.changed') showSettings(event.snapshot);
    });
  }

  async load(): Promise<void> {
    const answer = await this.#client.request('settings.read', {});
    if (answer.ok) showSettings(answer.value);
  }

  /**
   * Applies `change` to the settings as they are when its turn comes. Shown at once; when the host does not keep it,
   * the host's settings return and the reason stands in the store. Resolves with whether it was kept.
   */
  change(change: (settings: Settings) => Settings): Promise<boolean> {
    const turn = this.#turn.then(() => this.#replace(change));
    this.#turn = turn;
    return turn;
  }

  async #replace(change: (settings: Settings) => Settings): Promise<boolean> {
    const before = useSettings.getState().settings;
    const settings = change(before);
    if (settings === before) return true;
    useSettings.setState({ settings, saveError: null });
    const answer = await this.#client.request('settings.replace', { settings });
    if (answer.ok) showSettings(answer.value);
    else {
      const saveError = answer.error.message;
      // What the host has told meanwhile is newer than what was there before.
      useSettings.setState((now) => ({
        settings: now.settings === settings ? before : now.settings,
        saveError,
      }));
    }
    return answer.ok;
  }
}
