import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { isAbsolute, parse } from 'node:path';
import { taggedError } from '../../../shared/protocol/errors.ts';
import { fail, ok } from '../../../shared/result.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';

type FolderHandlers = Pick<Handlers, 'folder.choose' | 'folder.check'>;

export function folderHandlers({ platform }: Pick<HostServices, 'platform'>): FolderHandlers {
  return {
    async 'folder.choose'() {
      if (platform.chooseFolder === undefined) {
        const hint = 'This host has no folder dialog; type the path of a folder on its machine.';
        return fail(taggedError('not-available-here', hint));
      }
      return ok({ path: await platform.chooseFolder() });
    },
    'folder.check': async ({ path }) => ok(await checkFolder(path)),
  };
}

/** Whether a path can be a project folder, with links resolved, and a reason for a person. */
async function checkFolder(path: string): Promise<{ usable: boolean; path: string; reason: string }> {
  const refused = (reason: string) => ({ usable: false, path, reason });
  if (!isAbsolute(path)) return refused('Type the whole path, from the root on.');
  try {
    const real = await realpath(path);
    if (real === parse(real).root)
      return refused('The root folder would show the sandbox the whole machine.');
    if (!(await stat(real)).isDirectory()) return refused('This is not a folder.');
    await access(real, constants.R_OK | constants.X_OK);
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
