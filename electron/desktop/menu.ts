import { type App, type BrowserWindow, Menu } from 'electron';
import { menuTemplate } from './menu-template.ts';
import type { PageConnections } from './page-connections.ts';
import type { Windows } from './windows.ts';

/** Installs the application menu; its commands go to the page of the last window as `command.requested` events. */
export function setupMenu(app: App, windows: Windows, connections: PageConnections): void {
  const template = menuTemplate({
    platform: process.platform,
    isPackaged: app.isPackaged,
    runCommand: (command) => {
      const window = windows.last ?? windows.open();
      connections.send(window.webContents, { event: 'command.requested', command });
    },
    openWindow: () => void windows.open(),
    quit: () => app.quit(),
    toggleFullScreen: () => windows.last?.setFullScreen(!windows.last.isFullScreen()),
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/**
 * Every key that the page does not handle would go to the menu next, Alt and Alt+letter included, and a terminal needs
 * them all. The menu bar stays, for the mouse. Windows' Alt+F4 goes the same way and has to be let through.
 */
export function keepKeysFromMenu(window: BrowserWindow): void {
  if (process.platform === 'darwin') return;
  const { webContents } = window;
  webContents.setIgnoreMenuShortcuts(true);
  if (process.platform !== 'win32') return;
  webContents.on('before-input-event', (_event, { alt, key }) =>
    webContents.setIgnoreMenuShortcuts(!(alt && key === 'F4')),
  );
}
