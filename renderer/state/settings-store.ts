import { create } from 'zustand';
import { type Settings, type SettingsProblem, settingsSchema } from '../../shared/settings/schema.ts';

interface SettingsStore {
  /** What the host last said, with the changes made here that it has not answered yet; the defaults until it has spoken. */
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
