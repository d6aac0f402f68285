import { FILE_GRANTS } from '../../shared/governed/limits.ts';
import type { Manifest } from '../../shared/governed/manifest.ts';
import { FileError } from '../governed/ports.ts';

export type Filesystem = NonNullable<Manifest['filesystem']>;

export interface GrantPaths {
  readonly read: readonly string[];
  readonly create: string | null;
  readonly maxFileBytes: number;
}

/** F1: the paths of one call, with `{argument}` entries filled in, normalized and each granted once. Throws FileError. */
export function grantPaths(filesystem: Filesystem, args: Readonly<Record<string, string>>): GrantPaths {
  requireBounds(filesystem);
  const paths = {
    read: filesystem.read.map((entry) => normalized(resolve(entry, args))),
    create: filesystem.create === null ? null : normalized(resolve(filesystem.create, args)),
    maxFileBytes: filesystem.maxFileBytes,
  };
  const all = [...paths.read, ...(paths.create === null ? [] : [paths.create])];
  if (new Set(all).size !== all.length) throw new FileError('F1', 'duplicate filesystem grant');
  for (const path of all) requireExposable(path);
  if (paths.create !== null) requireFileName(paths.create.split('/').at(-1) ?? '');
  return paths;
}

function requireBounds({ read, maxFileBytes }: Filesystem): void {
  const { inputsMax, fileMaxBytes } = FILE_GRANTS;
  const bounded = Number.isInteger(maxFileBytes) && maxFileBytes >= 1 && maxFileBytes <= fileMaxBytes;
  if (read.length > inputsMax || !bounded)
    throw new FileError(
      'F1',
      'filesystem permits at most 32 inputs, one new output and 1–16777216 bytes per file',
    );
}

/** An entry is a literal path or exactly one whole `{argument}`. */
function resolve(entry: string, args: Readonly<Record<string, string>>): string {
  const name = /^\{([^{}]+)\}$/.exec(entry)?.[1];
  if (name === undefined) return entry;
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (value === undefined) throw new FileError('F1', `missing filesystem argument ${name}`);
  return value;
}

function normalized(path: string): string {
  const parts = path.split('/');
  if (
    path === '' ||
    Buffer.byteLength(path) > FILE_GRANTS.pathMaxBytes ||
    /[{}\\:,\0\n\r]/.test(path) ||
    parts.some((part) => part === '' || part === '.' || part === '..')
  )
    throw new FileError('F1', 'filesystem grants require normalized relative file paths');
  return path;
}

/** What steers a project's own automation (F2): folders at its top, by whatever case a file system may ignore. */
const CONTROL_FOLDERS = new Set(['tools', 'policies', 'agents', 'scope']);
const CONTROL_ANYWHERE = new Set(['.git', '.symbiont', '.airlock']);
const CONTROL_FILES = /^(?:symbi(?:\.quick)?|symbiont|toolclad)\.toml$|\.clad\.toml$|\.cedar$/;

function requireExposable(path: string): void {
  const parts = path.toLowerCase().split('/');
  const isControl =
    CONTROL_FOLDERS.has(parts[0] ?? '') ||
    parts.some((part) => CONTROL_ANYWHERE.has(part)) ||
    CONTROL_FILES.test(parts.at(-1) ?? '');
  if (isControl)
    throw new FileError('F2', `filesystem grants cannot expose the project control path ${path}`);
}

const NAME_MAX_BYTES = 255;
/** What another system would take for a device, or could not store. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** The name of a file that will be published (B25): one that means the same file on every system. Throws FileError. */
export function requireFileName(name: string): void {
  const problem = nameProblem(name);
  if (problem !== null)
    throw new FileError('F4', `a published file cannot have the name ${JSON.stringify(name)}: ${problem}`);
}

function nameProblem(name: string): string | null {
  if (name === '' || name === '.' || name === '..') return 'it names no file';
  if (Buffer.byteLength(name) > NAME_MAX_BYTES) return `it is longer than ${NAME_MAX_BYTES} bytes`;
  if (/[/\\:]/.test(name)) return 'it contains a path separator or a colon';
  if (/\p{Cc}/u.test(name)) return 'it contains a control character';
  if (!name.isWellFormed()) return 'it is not valid text';
  if (/[ .]$/.test(name)) return 'it ends with a space or a dot';
  if (RESERVED.test(name)) return 'it is reserved on other systems';
  if (name.startsWith(CANDIDATE_PREFIX)) return 'it is reserved for files that are being published';
  return null;
}

/** Followed by a UUID: the private file that becomes the published one (F8). */
export const CANDIDATE_PREFIX = '.airlock-publish-';
