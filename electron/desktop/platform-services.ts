import { type BaseWindow, dialog, shell } from 'electron';
import type { PlatformServices } from '../connection/services.ts';

/** What only a desktop can do for a page: the system's browser, and its folder dialog over the window that asks. */
export function createPlatformServices(window: () => BaseWindow | null): PlatformServices {
  return {
    openExternal: (href) => shell.openExternal(href),
    revealFile: (path) => shell.showItemInFolder(path),
    async chooseFolder() {
      const options = { title: 'Project folder', properties: ['openDirectory' as const] };
      const parent = window();
      const { filePaths } = await (parent
        ? dialog.showOpenDialog(parent, options)
        : dialog.showOpenDialog(options));
      return filePaths[0] ?? null;
    },
  };
}
