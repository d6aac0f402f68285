import type { LoadedManifest, ManifestProblem } from '../../shared/governed/manifest.ts';
import { visibleLine } from '../../shared/terminal/visible-text.ts';
import { counted } from '../ui/format.ts';

/** Characters of a text of a manifest that are drawn. */
const SHOWN_MAX_CHARS = 2_000;

/** A manifest's own words as they are drawn: on one line, with nothing invisible in them (B24). */
export function manifestText(text: string): string {
  return visibleLine(text, SHOWN_MAX_CHARS);
}

export function originWords(origin: LoadedManifest['origin']): string {
  return { example: 'example', user: 'yours', project: 'project' }[origin];
}

/** Whether its sessions read or create files of the host: then their folder must be named (F2). */
export function needsFolder({ manifest: { filesystem } }: LoadedManifest): boolean {
  return filesystem !== null && (filesystem.read.length > 0 || filesystem.create !== null);
}

/** "report.clad.toml:12": the file's name and the line, as editors open it. */
export function problemPlace({ file, line }: ManifestProblem): string {
  const name = file.split('/').findLast((part) => part !== '') ?? file;
  return line === null ? name : `${name}:${line}`;
}

/** "1 file cannot be used"; "3 warnings in 2 manifests, which can be used". */
export function findingsTitle(kind: 'problems' | 'warnings', findings: readonly ManifestProblem[]): string {
  const files = new Set(findings.map(({ file }) => file)).size;
  if (kind === 'problems') return `${counted(files, 'file')} cannot be used`;
  return `${counted(findings.length, 'warning')} in ${counted(files, 'manifest')}, which can be used`;
}
