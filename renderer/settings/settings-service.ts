import type { TaggedError } from '../../shared/protocol/errors.ts';
import type { SettingsSnapshot } from '../../shared/protocol/requests.ts';
import type { Result } from '../../shared/result.ts';
import type { Settings } from '../../shared/settings/schema.ts';
import type { Client } from '../connection/client.ts';
import { useSettings } from '../state/settings-store.ts';

/** Changes that were made one from another, and what the last of them came to: what is shown, and its revision. */
interface Line {
  settings: Settings;
  revision: string;
}

/**
 * Reads the host's settings, and changes them: shown at once and sent in order, so that no change undoes another, of this page
 * or of anybody else.
 */
export class SettingsService {
  readonly #client: Client;
  /** What the host last said. */
  #told: SettingsSnapshot;
  #line: Line;
  /** Changes that the host has not answered. Until it has, they are what is shown: each was made from what was shown. */
  #unanswered = 0;

  constructor(client: Client) {
    this.#client = client;
    const { settings, problems } = useSettings.getState();
    // No host knows this revision: nothing that is made from it is kept.
    this.#told = { settings, problems: [...problems], revision: crypto.randomUUID() };
    this.#line = { ...this.#told };
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
    const settings = change(this.#line.settings);
    if (settings === this.#line.settings) return true;
    useSettings.setState({ saveError: null });
    this.#unanswered += 1;
    const answer = await this.#send(settings, change);
    this.#unanswered -= 1;
    if (!answer.ok) useSettings.setState({ saveError: answer.error.message });
    this.#take(answer.ok ? answer.value : this.#told);
    return answer.ok;
  }

  /**
   * Where the host's settings were others than those that the change was made from, it is made again from those, which the host
   * has told of by then; but not from the defaults that stand in for a file with problems. The changes after it were made from
   * it, so they are refused as well, in the same order, and follow it on its new line.
   */
  async #send(
    made: Settings,
    change: (settings: Settings) => Settings,
  ): Promise<Result<SettingsSnapshot, TaggedError>> {
    for (let settings = made; ; settings = change(this.#line.settings)) {
      const line = this.#line;
      const from = line.revision;
      line.settings = settings;
      line.revision = crypto.randomUUID();
      useSettings.setState({ settings });
      const answer = await this.#client.request('settings.replace', { ...line, from });
      if (answer.ok || answer.error.tag !== 'settings-changed') return answer;
      if (this.#told.revision === from || this.#told.problems.length > 0) return answer;
      if (this.#line === line) this.#line = lineFrom(this.#told);
    }
  }

  #take(snapshot: SettingsSnapshot): void {
    this.#told = snapshot;
    if (this.#unanswered > 0) return;
    this.#line = lineFrom(snapshot);
    const { settings, problems } = snapshot;
    useSettings.setState({ settings, problems, loaded: true });
  }
}

function lineFrom({ settings, revision }: SettingsSnapshot): Line {
  return { settings, revision };
}
