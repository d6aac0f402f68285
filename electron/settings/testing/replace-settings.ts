import { randomUUID } from 'node:crypto';
import type { Settings } from '../../../shared/settings/schema.ts';
import type { SettingsStore } from '../settings-store.ts';

/** Replaces the settings as one who has just read them does. */
export function replaceSettings(store: SettingsStore, settings: Settings) {
  return store.replace({ settings, from: store.refresh().revision, revision: randomUUID() });
}
