import { ipcMain } from 'electron';
import ElectronStore from 'electron-store';
import {
  SETTINGS_FILE_NAME,
  type SettingsFile,
  type SettingsText,
  settingsFileOptions,
} from '../settings/settings-file.ts';

/** The desktop's keeper of the settings file: the same file in the same format as the headless host's. */
export function openElectronStoreFile(dataDir: string): SettingsFile {
  const store = new ElectronStore<SettingsText>({
    ...settingsFileOptions(dataDir),
    name: SETTINGS_FILE_NAME,
  });
  // electron-store tells any renderer that asks where the data folder is. Ours have one port and no other channel.
  ipcMain.removeAllListeners('electron-store-get-data');
  return store;
}
