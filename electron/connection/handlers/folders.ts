import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { taggedError } from '../../../shared/protocol/errors.ts';
import type { FolderUse } from '../../../shared/protocol/requests.ts';
import { fail, ok } from '../../../shared/result.ts';
import { refusalOf, resolveFolder } from '../../sandbox/validate.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';

type FolderHandlers = Pick<Handlers, 'folder.choose' | 'folder.check'>;

export function folderHandlers({
  platform,
  description,
}: Pick<HostServices, 'platform' | 'description'>): FolderHandlers {
  return {
    async 'folder.choose'({ use }) {
      if (platform.chooseFolder === undefined) {
        const hint = 'This host has no folder dialog; type the path of a folder on its machine.';
        return fail(taggedError('not-available-here', hint));
      }
      return ok({ path: await platform.chooseFolder(use) });
    },
    'folder.check': async ({ path, use }) => ok(await checkFolder(path, use, [description.dataDir])),
  };
}

/** Whether a path can be used so, with links resolved, and a reason for a person. */
async function checkFolder(path: string, use: FolderUse, privateFolders: readonly string[]) {
  const refused = (reason: string) => ({ usable: false, path, reason });
  if (!isAbsolute(path)) return refused('Type the whole path, from the root on.');
  try {
    const real = await realpath(path);
    if (!(await stat(real)).isDirectory()) return refused('This is not a folder.');
    await access(real, constants.R_OK | constants.X_OK);
    const refusal = use === 'files' ? null : refusalOf(() => resolveFolder(use, path, privateFolders));
    if (refusal !== null) return refused(refusal);
    return { usable: true, path: real, reason: 'This folder can be used.' };
  } catch (error) {
    return refused(reasonInWords(error));
  }
}

function reasonInWords(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'There is no such folder.';
    case 'EACCES':
    case 'EPERM':
      return 'You may not read this folder.';
    case 'ELOOP':
      return 'Its links lead in a circle.';
    case 'ENAMETOOLONG':
      return 'The path is too long.';
    default:
      return 'This folder cannot be read.';
  }
}
