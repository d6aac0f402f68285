import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MANIFEST_MAX_BYTES, MANIFESTS_MAX } from '../../../shared/governed/limits.ts';
import type { LoadedManifest, ManifestCatalog, ManifestProblem } from '../../../shared/governed/manifest.ts';
import { readInside } from '../read-inside.ts';
import { Scope } from './arguments/scope.ts';
import type { ManifestChecker, ManifestText, ProjectTypes } from './checking/manifest-checker.ts';
import { NO_CUSTOM_TYPES, parseCustomTypes } from './custom-types.ts';
import type { LocatedFinding, ParsedManifest } from './parse-manifest.ts';
import { hasHidden, shown } from './text.ts';

export type ManifestFolder = Pick<ManifestCatalog['folders'][number], 'path' | 'origin'>;

const SUFFIX = '.clad.toml';
const TYPES_FILE = 'toolclad.toml';
const SCOPE_FILE = join('scope', 'scope.toml');

/** Everything that one folder of manifests, and the project around it, say. */
export interface FolderContents {
  readonly folder: ManifestFolder;
  readonly exists: boolean;
  readonly manifests: readonly LoadedManifest[];
  readonly problems: readonly ManifestProblem[];
  /** Null when there is no scope file, or one that cannot be used: nothing is in scope then. */
  readonly scope: Scope | null;
}

/**
 * Reads the `*.clad.toml` directly inside the folder (M1), in the order of their names, and `toolclad.toml` and
 * `scope/scope.toml` beside it. Never rejects: what cannot be used is a problem.
 */
export async function readManifestFolder(
  folder: ManifestFolder,
  checker: ManifestChecker,
): Promise<FolderContents> {
  const problems: ManifestProblem[] = [];
  const project = dirname(folder.path);
  const { names, exists } = await manifestNames(folder.path, problems);
  const types = await readTypes(project, problems);
  const scope = await readScope(project, problems);
  const manifests: LoadedManifest[] = [];
  const time = checker.newTime();
  const check = (file: ManifestText) => checker.check(file, types, time);
  for (const name of names) {
    const loaded = await readManifest(folder, name, check, problems);
    if (loaded !== null) manifests.push(loaded);
  }
  return { folder, exists, manifests, problems, scope };
}

async function manifestNames(
  path: string,
  problems: ManifestProblem[],
): Promise<{ names: string[]; exists: boolean }> {
  try {
    const all = (await readdir(path)).filter((name) => name.endsWith(SUFFIX)).sort();
    if (all.length > MANIFESTS_MAX) {
      problems.push(whole(path, `has ${all.length} manifests; the first ${MANIFESTS_MAX} by name are read`));
    }
    return { names: all.slice(0, MANIFESTS_MAX), exists: true };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    if (code !== 'ENOENT') problems.push(whole(path, `cannot be read (${code})`));
    return { names: [], exists: code !== 'ENOENT' && code !== 'ENOTDIR' };
  }
}

async function readManifest(
  { path, origin }: ManifestFolder,
  name: string,
  check: (file: ManifestText) => Promise<ParsedManifest>,
  problems: ManifestProblem[],
): Promise<LoadedManifest | null> {
  const file = join(path, name);
  if (hasHidden(name)) {
    problems.push(whole(join(path, shown(name)), 'the file name has invisible characters'));
    return null;
  }
  const read = await readInside(path, name, MANIFEST_MAX_BYTES);
  if (!read.ok) {
    // A file that is gone since the folder was listed is no problem; a dangling link is said.
    problems.push(
      whole(file, read.error === 'absent' ? 'is not there, or links to nothing' : read.error.message),
    );
    return null;
  }
  const digest = sha256(read.value.bytes);
  const { manifest, problems: wrong, warnings } = await check({ text: read.value.text, digest });
  problems.push(...wrong.map((finding) => inFile(file, finding)));
  if (manifest === null) return null;
  return {
    manifest,
    file,
    origin,
    digest,
    warnings: warnings.map((finding) => inFile(file, finding)),
  };
}

async function readTypes(project: string, problems: ManifestProblem[]): Promise<ProjectTypes> {
  const file = join(project, TYPES_FILE);
  const read = await readInside(project, TYPES_FILE, MANIFEST_MAX_BYTES);
  if (!read.ok) {
    if (read.error !== 'absent') problems.push(whole(file, read.error.message));
    return { types: NO_CUSTOM_TYPES, digest: '' };
  }
  const { types, findings } = parseCustomTypes(read.value.text);
  for (const { path, line, message } of findings) {
    problems.push({ file, line, key: shown(path.join('.')), message });
  }
  return { types, digest: sha256(read.value.bytes) };
}

async function readScope(project: string, problems: ManifestProblem[]): Promise<Scope | null> {
  const file = join(project, SCOPE_FILE);
  const read = await readInside(project, SCOPE_FILE, MANIFEST_MAX_BYTES);
  if (!read.ok) {
    if (read.error !== 'absent') problems.push(whole(file, read.error.message));
    return null;
  }
  const scope = Scope.parse(read.value.text);
  if (scope.ok) return scope.value;
  problems.push({ file, line: scope.error.line, key: 'scope', message: scope.error.message });
  return null;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function whole(file: string, message: string): ManifestProblem {
  return { file, line: null, key: '', message };
}

function inFile(file: string, { line, key, message }: LocatedFinding): ManifestProblem {
  return { file, line, key, message };
}
