import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { POLICY_FILES } from '../../../shared/governed/limits.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { shown } from '../manifest/text.ts';
import type { PolicyText } from './policy-set.ts';

const SUFFIX = '.cedar';

/** Changes whenever a policy file was added, removed or written; equal otherwise. Never throws. */
export function policyFilesSignature(folder: string): string {
  try {
    return policyNames(folder)
      .map((name) => {
        const stats = statSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
        return [name, stats?.ino, stats?.size, stats?.mtimeNs, stats?.ctimeNs].join(':');
      })
      .join('\n');
  } catch (error) {
    return `unreadable ${(error as NodeJS.ErrnoException).code}`;
  }
}

/** Every `*.cedar` of the folder, by name. Fails when one cannot be read: a part of the policies is not the policies. */
export function readPolicyFiles(folder: string): Result<PolicyText[], string> {
  try {
    const names = policyNames(folder);
    if (names.length > POLICY_FILES.max) {
      return fail(`at most ${POLICY_FILES.max} policy files, found ${names.length}`);
    }
    return ok(names.map((name) => ({ name: shown(name, 80), text: readPolicy(folder, name) })));
  } catch (error) {
    return fail(`policies cannot be read: ${shown(error instanceof Error ? error.message : String(error))}`);
  }
}

/** Empty when there is no folder. Throws when it cannot be listed. */
function policyNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(SUFFIX))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readPolicy(folder: string, name: string): string {
  const path = realpathSync(join(folder, name));
  if (!path.startsWith(realpathSync(folder) + sep))
    throw new Error(`${name} is a link that leaves its folder`);
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(`${name} is not a regular file`);
    if (stats.size > POLICY_FILES.maxBytes) {
      throw new Error(`${name} must have at most ${POLICY_FILES.maxBytes} bytes, has ${stats.size}`);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } finally {
    closeSync(file);
  }
}
