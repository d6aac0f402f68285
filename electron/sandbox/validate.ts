import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, relative } from 'node:path';
import type { Profile } from '../../shared/settings/schema.ts';
import { WORKER_DIRECTORY } from '../../shared/terminal/inside.ts';
import { EngineError, type SandboxSpec, type WorkerPart } from './engine.ts';
import type { Folders, SharedFile, SharedFolder } from './host-folders.ts';

/** Kernel interfaces and sockets: a read-only view of them still lets a sandbox act on the host. */
const NEVER_SHARED = ['/proc', '/sys', '/dev', '/run', '/var/run'];

/** Too much to share as a whole. In /tmp other programs have sockets: who may only read them can still connect. */
const NEVER_WHOLE = ['/', '/tmp', '/var/tmp'];

/** Folders that the system lives in: a sandbox that may write there is none. */
const NEVER_WRITABLE = ['/bin', '/boot', '/etc', '/lib', '/lib64', '/opt', '/sbin', '/usr', '/var/lib'];

/** Opens only to know what a path names (open(2)); not among Node's constants, and the same on every processor. */
const O_PATH = 0o10000000;

const TAB_AND_NEWLINE = /[\t\n]/g;

/** Everything that a profile puts into the command line, checked before anything starts (B17). */
export function validateProfile(profile: Profile): void {
  if (!profile.command[0]) throw invalid('The program is empty.');
  refuseControls('The program', profile.command[0], false);
  for (const [index, argument] of profile.command.entries()) {
    refuseControls(`Argument ${index} of the program`, argument, true);
  }
  for (const [name, value] of Object.entries(profile.environment)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw invalid('A variable of the environment has a bad name.');
    refuseControls(`The variable ${name}`, value, true);
  }
}

/**
 * The folders of one session, resolved: absolute, existing, and nothing that must stay out of reach. `privateFolders`
 * hold Airlock's own data. Rejects with `profile-invalid`.
 */
export function resolveFolders(spec: SandboxSpec, privateFolders: readonly string[]): Folders {
  if (spec.worker) return { project: null, scratch: null, files: spec.worker.files.map(resolveFile) };
  const project = spec.project ?? spec.profile.project;
  const { scratch } = spec.profile;
  return {
    project: project === null ? null : resolveFolder('project', project, privateFolders),
    scratch: scratch === null ? null : resolveFolder('scratch', scratch, privateFolders),
    files: null,
  };
}

/** Why `check` refuses a profile, in words; null when it does not. */
export function refusalOf(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof EngineError && error.tag === 'profile-invalid') return error.message;
    throw error;
  }
}

/** Staged by Airlock itself, so it may lie among Airlock's data; but only the very file, no link to another (F6). */
function resolveFile({ source, target, access }: WorkerPart['files'][number]): SharedFile {
  refuseControls('A staged file', source, false);
  refuseControls('The place of a staged file', target, false);
  if (target.split('/').some((step) => ['', '.', '..'].includes(step)))
    throw invalid(`The place of a staged file must be a plain relative path: ${target}`);
  const file = isAbsolute(source) ? find('A staged file', source, false) : null;
  if (!file?.stats.isFile()) throw invalid(`A staged file is missing: ${source}`);
  return { ...sharedFolderOf(file), target: `${WORKER_DIRECTORY}/${target}`, access };
}

/** One folder of a session, as `resolveFolders` takes it. Throws `profile-invalid`. */
export function resolveFolder(
  role: 'project' | 'scratch',
  path: string,
  privateFolders: readonly string[],
): SharedFolder {
  const what = `The ${role} folder`;
  refuseControls(what, path, false);
  if (!isAbsolute(path)) throw invalid(`${what} must be an absolute path: ${path}`);
  const found = find(what, path, true);
  if (!found?.stats.isDirectory()) throw invalid(`${what} is not an existing folder: ${path}`);
  const resolved = found.path;
  refuseControls(what, resolved, false);
  const named = resolved === path ? path : `${path} (${resolved})`;
  if (NEVER_WHOLE.map(resolve).includes(resolved)) throw invalid(`${what} must not be all of ${named}.`);
  if (isInside(resolve(homedir()), resolved))
    throw invalid(`${what} must not hold your home folder: ${named}`);
  for (const own of privateFolders.map(resolve)) {
    if (isInside(own, resolved) || isInside(resolved, own)) {
      throw invalid(`${what} must not share Airlock's own data: ${named}`);
    }
  }
  for (const system of role === 'scratch' ? [...NEVER_SHARED, ...NEVER_WRITABLE] : NEVER_SHARED) {
    const place = resolve(system);
    if (isInside(resolved, place)) throw invalid(`${what} must not be below ${place}: ${named}`);
    if (isInside(place, resolved)) throw invalid(`${what} must not hold ${place}: ${named}`);
  }
  return sharedFolderOf(found);
}

interface Found {
  /** Resolved, but for a link itself that is not to be followed. */
  readonly path: string;
  readonly stats: BigIntStats;
}

/** What `path` leads to now, or null. Throws `profile-invalid`, with the reason, when that cannot be looked at. */
function find(what: string, path: string, follow: boolean): Found | null {
  try {
    return process.platform === 'linux' ? findOpened(path, follow) : findNamed(path, follow);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw invalid(`${what} cannot be looked at: ${message}.`);
  }
}

/** Opened once, so that its name and its identity are of the same. */
function findOpened(path: string, follow: boolean): Found {
  const descriptor = openSync(path, O_PATH | (follow ? 0 : constants.O_NOFOLLOW));
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    return { path: readlinkSync(`/proc/self/fd/${descriptor}`), stats };
  } finally {
    closeSync(descriptor);
  }
}

/** Where nothing tells the name of what is open. What takes its place in between is found when it is mounted (`mounts.ts`). */
function findNamed(path: string, follow: boolean): Found {
  const resolved = follow || !lstatSync(path).isSymbolicLink() ? realpathSync.native(path) : path;
  return { path: resolved, stats: lstatSync(resolved, { bigint: true }) };
}

function sharedFolderOf({ path, stats }: Found): SharedFolder {
  return { path, device: stats.dev, inode: stats.ino };
}

/** Whole components are compared, never prefixes. Both paths are resolved. */
function isInside(path: string, folder: string): boolean {
  const steps = relative(folder, path);
  return steps === '' || (!isAbsolute(steps) && steps.split('/')[0] !== '..');
}

function resolve(path: string): string {
  return realpathOrNull(path) ?? path;
}

function realpathOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/**
 * Refuses control characters, C0 and C1, and what cannot be written as UTF-8. A NUL would silently cut the text.
 * Arguments and variables may hold tabs and newlines, as scripts do; paths may not.
 */
function refuseControls(what: string, value: string, allowTabAndNewline: boolean): void {
  const text = allowTabAndNewline ? value.replace(TAB_AND_NEWLINE, '') : value;
  const found = /\p{Cc}/u.exec(text)?.[0];
  if (found !== undefined) {
    const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    throw invalid(`${what} holds the control character U+${code}.`);
  }
  if (!value.isWellFormed()) throw invalid(`${what} is not valid Unicode.`);
}

function invalid(message: string): EngineError {
  return new EngineError('profile-invalid', message);
}
