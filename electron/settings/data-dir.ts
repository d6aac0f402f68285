import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import envPaths from 'env-paths';

/**
 * Where Airlock keeps settings.json and what it has to remember of its sessions. One rule for both hosts, so that
 * they share it: `--data-dir` wins, then the environment variable AIRLOCK_DATA_DIR, then the platform's own place
 * (Linux: $XDG_DATA_HOME/airlock or ~/.local/share/airlock; macOS: ~/Library/Application Support/airlock;
 * Windows: %LOCALAPPDATA%\airlock\Data). Always absolute.
 */
export function dataDir(chosen: string | undefined, environment: NodeJS.ProcessEnv = process.env): string {
  return resolve(chosen || environment['AIRLOCK_DATA_DIR'] || envPaths('airlock', { suffix: '' }).data);
}

const EVERYBODY_MAY_WRITE = 0o002;

/**
 * Makes the folder, readable by its owner alone. Throws when that is not possible, and where others can write: the
 * record of sessions says which processes are to be ended, the settings which folders a sandbox gets.
 */
export function prepareDataDir(folder: string): void {
  makeFolder(folder);
  const user = process.getuid?.();
  if (user === undefined) return; // Windows: who may write is not in the mode.
  const { uid, mode } = statSync(folder);
  if (uid !== user) throw new Error('it belongs to another user');
  if ((mode & EVERYBODY_MAY_WRITE) !== 0) throw new Error('every user may write in it (chmod o-w)');
}

/** One folder after the other: where none can be made, as in /proc, Node's own way through them never ends. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(folder);
  if (!existsSync(parent)) makeFolder(parent);
  mkdirSync(folder, { mode: 0o700 });
}
