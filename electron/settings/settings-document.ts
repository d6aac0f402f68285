import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { describeIssues } from '../../shared/protocol/issues.ts';
import { type Settings, type SettingsProblem, settingsSchema } from '../../shared/settings/schema.ts';
import { SETTINGS_FILE_MAX_BYTES } from '../../shared/terminal/limits.ts';
import { type Migration, migrate, type SettingsDocument } from './migrations.ts';
import { SCHEMA_FILE_NAME } from './settings-json-schema.ts';

/** What the text of a settings file means. With problems, `settings` are the defaults: a file is used whole or not. */
export interface ReadSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingsProblem[];
}

export function defaultSettings(): Settings {
  return settingsSchema.parse({});
}

/** Reads the text of a settings file; undefined means that there is none. Never throws. */
export function readSettings(text: string | undefined, migrations?: readonly Migration[]): ReadSettings {
  if (text === undefined) return { settings: defaultSettings(), problems: [] };
  const bytes = Buffer.byteLength(text);
  if (bytes > SETTINGS_FILE_MAX_BYTES) {
    return unusable('', `The file must have at most ${SETTINGS_FILE_MAX_BYTES} bytes, has ${bytes}`);
  }
  const json = parseJson(text.replace(/^\uFEFF/, ''));
  if ('message' in json) return unusable('', json.message);
  return validate(json.value, migrations);
}

/** The text of a settings file for these settings. */
export function writeSettings(settings: Settings): string {
  return `${JSON.stringify({ $schema: `./${SCHEMA_FILE_NAME}`, ...settings }, null, 2)}\n`;
}

function validate(value: unknown, migrations: readonly Migration[] | undefined): ReadSettings {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return unusable('', 'The file must hold a JSON object: { … }');
  }
  const { $schema: _, ...document } = value as SettingsDocument;
  const migrated = migrate(document, migrations);
  if (!migrated.ok) return unusable('version', migrated.message);
  const parsed = settingsSchema.safeParse(migrated.document);
  if (parsed.success) return { settings: parsed.data, problems: [] };
  return { settings: defaultSettings(), problems: describeIssues(parsed.error.issues, migrated.document) };
}

/** The defaults stand in. */
export function unusable(field: string, message: string): ReadSettings {
  return { settings: defaultSettings(), problems: [{ field, message }] };
}

function parseJson(text: string): { value: unknown } | { message: string } {
  if (text.trim() === '') return { message: 'The file is empty; delete it or write { }' };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { message: mistakeInWords(text) };
  }
}

/** JSON.parse does not always say where; the tolerant parser does. */
function mistakeInWords(text: string): string {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined) return 'The file is not JSON';
  const before = text.slice(0, first.offset).split(/\r\n|\r|\n/);
  const column = (before.at(-1) as string).length + 1;
  const what = printParseErrorCode(first.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return `The file is not JSON: line ${before.length}, column ${column}: ${what}`;
}
