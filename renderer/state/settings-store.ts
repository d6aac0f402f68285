import { create } from 'zustand';
import type { SettingsSnapshot } from '../../shared/protocol/requests.ts';
import { type Settings, type SettingsProblem, settingsSchema } from '../../shared/settings/schema.ts';

interface SettingsStore {
  /** What the host last said; the defaults until then. */
  readonly settings: Settings;
  /** What is wrong with the settings file. While there is any, the defaults stand in. */
  readonly problems: readonly SettingsProblem[];
  readonly loaded: boolean;
  /** Why the last change was not kept, in words. */
  readonly saveError: string | null;
}

export const useSettings = create<SettingsStore>(() => ({
  settings: settingsSchema.parse({}),
  problems: [],
  loaded: false,
  saveError: null,
}));

export function showSettings(snapshot: SettingsSnapshot): void {
  useSettings.setState({ settings: snapshot.settings, problems: snapshot.problems, loaded: true });
}
