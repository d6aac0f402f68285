import { type BaseWindow, dialog, shell } from 'electron';
import type { FolderUse } from '../../shared/protocol/requests.ts';
import type { PlatformServices } from '../connection/services.ts';

const DIALOG_TITLES: Readonly<Record<FolderUse, string>> = {
  project: 'Project folder',
  scratch: 'Scratch folder',
  files: 'Folder for files',
};

/** What only a desktop can do for a page: the system's browser, and its folder dialog over the window that asks. */
export function createPlatformServices(window: () => BaseWindow | null): PlatformServices {
  return {
    openExternal: (href) => shell.openExternal(href),
    revealFile: (path) => shell.showItemInFolder(path),
    async chooseFolder(use) {
      const options = { title: DIALOG_TITLES[use], properties: ['openDirectory' as const] };
      const parent = window();
      const { filePaths } = await (parent
        ? dialog.showOpenDialog(parent, options)
        : dialog.showOpenDialog(options));
      return filePaths[0] ?? null;
    },
  };
}
