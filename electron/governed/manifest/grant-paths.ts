import { FILE_GRANTS } from '../../../shared/governed/limits.ts';

const NOT_NORMALIZED = 'filesystem grants require normalized relative file paths';
const FORBIDDEN = /[{}\\:,\0\n\r]/;
const REFERENCE = /^\{([^{}]+)\}$/;

/** The argument that a grant names when it is one whole `{argument}` reference; null for a literal path (F1). */
export function referencedArgument(entry: string): string | null {
  return REFERENCE.exec(entry)?.[1] ?? null;
}

/** Null when `path` is a relative path as F1 wants it; otherwise F1's text. */
export function grantPathProblem(path: string): string | null {
  const normalized =
    path !== '' &&
    Buffer.byteLength(path) <= FILE_GRANTS.pathMaxBytes &&
    !FORBIDDEN.test(path) &&
    path.isWellFormed() &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  return normalized ? null : NOT_NORMALIZED;
}
