import type { OutFile } from '../../shared/governed/verification.ts';
import { hiddenCount } from '../../shared/terminal/visible-text.ts';

/** Bytes of a file's name on the file systems of every platform that Airlock runs on. */
const NAME_MAX_BYTES = 255;

/** "report.csv" of "data/report.csv". */
export function baseName(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path;
}

/** The folder and the name of an absolute path. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(at, 1)), name: path.slice(at + 1) };
}

export function joinPath(folder: string, name: string): string {
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}

/** Why a name cannot be a new file's, as a sentence; null when it can. The host looks at the folder itself. */
export function nameProblem(name: string): string | null {
  if (name.trim() === '') return 'Type a name for the file.';
  if (name === '.' || name === '..') return 'This names a folder.';
  if (name.includes('/')) return 'A name has no slash; choose the folder above.';
  if (hiddenCount(name) > 0 || /[\t\r\n]/.test(name)) return 'The name has hidden characters in it.';
  if (new TextEncoder().encode(name).length > NAME_MAX_BYTES) return 'The name is too long.';
  return null;
}

/** The one file that can be published, where there is no other; then there is nothing to choose. */
export function onlyFile(files: readonly OutFile[]): string | null {
  const [file, another] = files.filter(({ refused }) => refused === null);
  return file === undefined || another !== undefined ? null : file.path;
}

/** The files that can be published first, then by name. */
export function byUse(files: readonly OutFile[]): OutFile[] {
  return files.toSorted(
    (a, b) => Number(a.refused !== null) - Number(b.refused !== null) || a.path.localeCompare(b.path),
  );
}
