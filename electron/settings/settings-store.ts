import { randomUUID } from 'node:crypto';
import { type FSWatcher, readFileSync, watch, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Disposable, toDisposable } from '../../shared/disposable.ts';
import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import type { Params, SettingsSnapshot } from '../../shared/protocol/requests.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { SETTINGS_FILE_MAX_BYTES } from '../../shared/terminal/limits.ts';
import { requirePlainFile } from '../plain-file.ts';
import { defaultSettings, writeSettings } from './settings-document.ts';
import { type OpenSettingsFile, readSettingsFile, type SettingsFile, settingsPath } from './settings-file.ts';
import { SCHEMA_FILE_NAME, settingsJsonSchema } from './settings-json-schema.ts';

/** Milliseconds after the last change of the file before it is read: editors write in several steps. */
const SETTLE_MS = 50;
const BACKUPS_MAX = 999;
/** Bytes of a bad file that is kept when it is replaced; a longer one cannot be replaced. */
const BAD_FILE_MAX_BYTES = 64 * 1024 * 1024;

/**
 * The settings of a host: one file, read at start and whenever somebody else changes it. A bad file is kept as it is
 * and the defaults stand in; replacing it through `replace` first keeps a copy as settings.bad-<n>.json.
 */
export class SettingsStore implements Disposable {
  readonly path: string;
  readonly #dataDir: string;
  readonly #open: OpenSettingsFile;
  readonly #listeners = new Set<(snapshot: SettingsSnapshot) => void>();
  #file: SettingsFile | null = null;
  #watcher: FSWatcher | null = null;
  #settling: NodeJS.Timeout | null = null;
  #snapshot: SettingsSnapshot = { settings: defaultSettings(), problems: [], revision: randomUUID() };
  #isThere = false;

  constructor(dataDir: string, open: OpenSettingsFile) {
    this.path = settingsPath(dataDir);
    this.#dataDir = dataDir;
    this.#open = open;
    this.#reload();
    this.#watch();
    this.#provideSchema();
  }

  snapshot(): SettingsSnapshot {
    return this.#snapshot;
  }

  /** Whether the settings are those of the file: where there is none, or one with problems, the defaults stand in. */
  get areOfFile(): boolean {
    return this.#isThere && this.#snapshot.problems.length === 0;
  }

  /** Reads the file again, for where watching does not see every change, e.g. behind a symbolic link. */
  refresh(): SettingsSnapshot {
    this.#reload();
    return this.#snapshot;
  }

  /** Called after every change, whoever made it. */
  onChange(listener: (snapshot: SettingsSnapshot) => void): Disposable {
    this.#listeners.add(listener);
    return toDisposable(() => this.#listeners.delete(listener));
  }

  /**
   * Replaces the whole settings, which must have passed the schema. Fails with settings-not-saved, and with settings-changed
   * when the file holds others than those of `from`, which the listeners know then.
   */
  replace({ settings, from, revision }: Params<'settings.replace'>): Result<SettingsSnapshot, TaggedError> {
    const text = writeSettings(settings);
    const bytes = Buffer.byteLength(text);
    if (bytes > SETTINGS_FILE_MAX_BYTES) {
      const bound = `must have at most ${SETTINGS_FILE_MAX_BYTES} bytes, would have ${bytes}`;
      return fail(taggedError('settings-not-saved', `The settings were not saved: the file ${bound}.`));
    }
    try {
      this.#reload();
      if (this.#snapshot.revision !== from) return fail(CHANGED);
      if (this.#snapshot.problems.length > 0) this.#keepBadFile();
      this.#file ??= this.#open(this.#dataDir);
      this.#file.store = { text };
    } catch (error) {
      return fail(taggedError('settings-not-saved', `The settings were not saved: ${reasonOf(error)}.`));
    }
    this.#reload(revision);
    return ok(this.#snapshot);
  }

  dispose(): void {
    this.#watcher?.close();
    if (this.#settling !== null) clearTimeout(this.#settling);
    this.#listeners.clear();
  }

  /** `written`: the revision of what was just written; without it, only settings that are others than before are a new one. */
  #reload(written?: string): void {
    const { settings, problems, isThere } = readSettingsFile(this.path);
    this.#isThere = isThere;
    const read = { settings, problems: [...problems] };
    const { revision: _, ...before } = this.#snapshot;
    if (written === undefined && JSON.stringify(read) === JSON.stringify(before)) return;
    this.#snapshot = { ...read, revision: written ?? randomUUID() };
    for (const listener of this.#listeners) listener(this.#snapshot);
  }

  /** The folder is watched, not the file: an atomic write replaces the file, and it may not exist yet. */
  #watch(): void {
    try {
      this.#watcher = watch(this.#dataDir, { persistent: false }, (_event, name) => {
        if (name === null || name === basename(this.path)) this.#settle();
      });
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Where nothing can be watched, outside changes are seen at the next start.
    }
  }

  #settle(): void {
    if (this.#settling !== null) clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#reload(), SETTLE_MS);
    this.#settling.unref();
  }

  #keepBadFile(): void {
    requirePlainFile(this.path, BAD_FILE_MAX_BYTES);
    const content = readFileSync(this.path);
    for (let n = 1; n <= BACKUPS_MAX; n += 1) {
      try {
        writeFileSync(join(this.#dataDir, `settings.bad-${n}.json`), content, { flag: 'wx', mode: 0o600 });
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
    throw new Error(`${BACKUPS_MAX} bad settings files are kept already; delete some of them`);
  }

  #provideSchema(): void {
    const path = join(this.#dataDir, SCHEMA_FILE_NAME);
    try {
      requirePlainFile(path, Number.POSITIVE_INFINITY);
      writeFileSync(path, settingsJsonSchema(), { mode: 0o600 });
    } catch {
      // It only helps editors.
    }
  }
}

const CHANGED = taggedError(
  'settings-changed',
  'The settings were not saved: the file was changed meanwhile. Look at it, and make the change again.',
);

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
