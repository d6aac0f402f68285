import { lstatSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Argument } from '../../../../shared/governed/manifest.ts';
import { shown } from '../text.ts';
import type { Scope } from './scope.ts';

/** The project that a call belongs to. */
export interface Project {
  /** Absolute; paths of `credential_file` arguments are relative to it. */
  readonly folder: string;
  /** Of `scope/scope.toml`; null when there is none, or none that can be used: then nothing is in scope. */
  readonly scope: Scope | null;
}

/** What depends on the project: its scope, and whether a credential file is there. `value` is normalised and not empty. */
export function projectProblem(argument: Argument, value: string, project: Project): string | null {
  if (argument.type === 'credential_file' && !isFileInside(project.folder, value)) {
    return 'credential file must exist, as a regular file of the project';
  }
  return argument.scopeCheck ? scopeProblem(targetIn(argument, value), project.scope) : null;
}

/** Null when the target is in scope. */
export function scopeProblem(target: string | null, scope: Scope | null): string | null {
  if (scope === null) return 'session target requires project scope';
  if (target === null || !scope.contains(target)) {
    return `target is not in the project's scope: ${shown(target ?? 'none')}`;
  }
  return null;
}

/** The host that a value names: of a URL its host part, otherwise the value itself. */
function targetIn({ type }: Argument, value: string): string | null {
  if (type !== 'url') return value;
  try {
    const { hostname } = new URL(value);
    return hostname.replace(/^\[|\]$/g, '');
  } catch {
    return null;
  }
}

function isFileInside(folder: string, path: string): boolean {
  try {
    const root = realpathSync(folder);
    const file = realpathSync(join(root, path));
    return file.startsWith(root + sep) && lstatSync(file).isFile();
  } catch {
    return false;
  }
}
