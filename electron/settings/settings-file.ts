import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Conf from 'conf';
import { SETTINGS_FILE_MAX_BYTES } from '../../shared/terminal/limits.ts';
import { readPlainFile, requirePlainFile } from '../plain-file.ts';
import { type ReadSettings, readSettings, unusable } from './settings-document.ts';

/** File name of the settings without its extension, the `name` of an electron-store. */
export const SETTINGS_FILE_NAME = 'settings';

/** The file's text; undefined while there is no file. */
export interface SettingsText extends Record<string, unknown> {
  text?: string;
}

/** What the settings store needs of the library that writes the file: `Conf` and `ElectronStore` both fit. */
export interface SettingsFile {
  /** Writing it is synchronous and atomic, and throws the file system's errors. */
  store: SettingsText;
}

/** `isThere`: false where nothing has the file's name, so that the defaults apply. */
export interface SettingsOfFile extends ReadSettings {
  readonly isThere: boolean;
}

/** What the settings file at `path` means to a host. Never throws, and never waits for what is no file. */
export function readSettingsFile(path: string): SettingsOfFile {
  try {
    requirePlainFile(path, SETTINGS_FILE_MAX_BYTES);
    const isThere = existsSync(path);
    const text = isThere ? readPlainFile(path, SETTINGS_FILE_MAX_BYTES).toString() : undefined;
    return { ...readSettings(text), isThere };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...unusable('', `The file cannot be read: ${reason}`), isThere: true };
  }
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
