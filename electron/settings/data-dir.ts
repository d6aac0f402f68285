import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
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
const GROUP_MAY_WRITE = 0o020;

/**
 * Makes the folder, readable by its owner alone. Throws when that is not possible, and where others can write: the
 * record of sessions says which processes are to be ended, the settings which folders a sandbox gets.
 */
export function prepareDataDir(folder: string): void {
  makeFolder(folder);
  const reason = whyNotOwn(folder);
  if (reason !== null) throw new Error(reason);
}

/** Why a folder that is there is not this user's alone to write in, in words; null when it is. */
export function whyNotOwn(folder: string): string | null {
  const user = process.getuid?.();
  if (user === undefined) return null; // Windows: who may write is not in the mode.
  const { uid, gid, mode } = statSync(folder);
  if (uid !== user) return 'it belongs to another user';
  if ((mode & EVERYBODY_MAY_WRITE) !== 0) return 'every user may write in it (chmod o-w)';
  if ((mode & GROUP_MAY_WRITE) !== 0 && !isOwnGroup(gid, { uid, name: userName() }, groupsFile()))
    return 'others of its group may write in it (chmod g-w)';
  return null;
}

/**
 * Whether a group is a person's private one, which many systems make for each user and then let write by default (umask 002):
 * it has the user's own number, and /etc/group names nobody else in it. That no other user has it for a first group, and what a
 * directory server may add, is taken on trust.
 */
export function isOwnGroup(
  gid: number,
  { uid, name }: { readonly uid: number; readonly name: string },
  groups: string,
): boolean {
  if (gid !== uid) return false;
  const entries = groups.split('\n').map((line) => line.split(':'));
  const members = entries.flatMap(([, , id, names]) => (Number(id) === gid ? (names ?? '').split(',') : []));
  return members.every((member) => member === '' || member === name);
}

/** A user of a container often has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

function groupsFile(): string {
  try {
    return readFileSync('/etc/group', 'utf8');
  } catch {
    return '';
  }
}

/** One folder after the other: where none can be made, as in /proc, Node's own way through them never ends. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(folder);
  if (!existsSync(parent)) makeFolder(parent);
  mkdirSync(folder, { mode: 0o700 });
}
