import { join } from 'node:path';
import Conf from 'conf';

/** File name of the settings without its extension, the `name` of an electron-store. */
export const SETTINGS_FILE_NAME = 'settings';

/** The file's text; undefined while there is no file. */
export interface SettingsText extends Record<string, unknown> {
  text?: string;
}

/**
 * What the settings store needs of the library that keeps the file: `Conf` and `ElectronStore` both fit. Reading and
 * writing `store` is synchronous and throws the file system's errors; writing is atomic.
 */
export interface SettingsFile {
  store: SettingsText;
}

/** Opens the settings file of a data folder. Throws what the first read throws. */
export type OpenSettingsFile = (dataDir: string) => SettingsFile;

/**
 * Options that make a conf or electron-store the keeper of one text file, `settings.json` in `dataDir`. What the text
 * means is for settings-document.ts: the library must never drop, repair or rewrite what a person wrote.
 */
export function settingsFileOptions(dataDir: string) {
  return {
    cwd: dataDir,
    fileExtension: 'json',
    configFileMode: 0o600,
    clearInvalidConfig: false,
    accessPropertiesByDotNotation: false,
    serialize: ({ text }: SettingsText) => text ?? '',
    deserialize: (text: string): SettingsText => ({ text }),
  };
}

/** The headless host's keeper. The desktop makes an ElectronStore with the same options. */
export function openConfFile(dataDir: string): SettingsFile {
  return new Conf<SettingsText>({ ...settingsFileOptions(dataDir), configName: SETTINGS_FILE_NAME });
}

export function settingsPath(dataDir: string): string {
  return join(dataDir, `${SETTINGS_FILE_NAME}.json`);
}
