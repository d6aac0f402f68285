import { SETTINGS_VERSION } from '../../shared/settings/schema.ts';

export type SettingsDocument = Record<string, unknown>;

/** Turns a document of one version into one of the next. Pure; may meet any JSON, so it must not assume types. */
export type Migration = (document: SettingsDocument) => SettingsDocument;

/** Entry n turns version n into n + 1. Version 0 is a file without a version: written by hand, fields as in 1. */
export const MIGRATIONS: readonly Migration[] = [(document) => document];

/** The document brought to the newest version, or why it cannot be. */
export type Migrated =
  | { readonly ok: true; readonly document: SettingsDocument }
  | { readonly ok: false; readonly message: string };

/** Applies every migration that a document still needs. `message` is about the field `version`. */
export function migrate(document: SettingsDocument, migrations: readonly Migration[] = MIGRATIONS): Migrated {
  const newest = migrations.length;
  const version = document['version'] ?? 0;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 0) {
    return { ok: false, message: `must be a whole number from 0 to ${newest}` };
  }
  if (version > newest) {
    const hint = 'a newer Airlock has written this file';
    return { ok: false, message: `must be at most ${newest}, is ${version}: ${hint}` };
  }
  const migrated = migrations.slice(version).reduce((older, step) => step(older), document);
  return { ok: true, document: { ...migrated, version: newest } };
}

if (MIGRATIONS.length !== SETTINGS_VERSION) throw new Error('a settings version has no migration');
