import type { MenuItemConstructorOptions } from 'electron';

export interface MenuOptions {
  readonly platform: NodeJS.Platform;
  /** Reload and developer tools exist in a checkout only. */
  readonly isPackaged: boolean;
  /** Asks the page of the last window to run one of its commands, by id. */
  readonly runCommand: (id: string) => void;
  readonly openWindow: () => void;
  readonly quit: () => void;
  readonly toggleFullScreen: () => void;
}

type Item = MenuItemConstructorOptions;

const separator: Item = { type: 'separator' };

/**
 * The application menu. Keys belong to the page's key map, which a person can change, so commands show none here.
 * On Linux and Windows the menu takes no key at all (see `setupMenu`); roles that would take Ctrl+W, Ctrl+Q or
 * Ctrl+M from a shell are not used there. On macOS the system's own Cmd keys come with their roles.
 */
export function menuTemplate(options: MenuOptions): Item[] {
  const mac = options.platform === 'darwin';
  return [
    ...(mac ? [{ role: 'appMenu' } as Item] : []),
    { label: 'File', submenu: fileMenu(options, mac) },
    { label: 'Edit', submenu: editMenu(options, mac) },
    { label: 'View', submenu: viewMenu(options, mac) },
    { label: 'Panes', submenu: panesMenu(options) },
    ...(mac ? [{ role: 'windowMenu' } as Item] : []),
    { role: 'help', label: 'Help', submenu: helpMenu(options, mac) },
  ];
}

function fileMenu({ runCommand, openWindow, quit }: MenuOptions, mac: boolean): Item[] {
  return [
    command('New tab', 'tab.new', runCommand),
    command('New tab with profile…', 'tab.new-with-profile', runCommand),
    { label: 'New window', click: openWindow },
    command('Open a project folder…', 'app.open-folder', runCommand),
    separator,
    command('Close pane', 'pane.close', runCommand),
    command('Close tab', 'tab.close', runCommand),
    separator,
    command('Settings', 'app.settings', runCommand),
    ...(mac ? [] : [separator, { label: 'Quit', click: quit }]),
  ];
}

/** Copy and paste act on what has the focus, a terminal or a field of the settings alike. */
function editMenu({ runCommand }: MenuOptions, mac: boolean): Item[] {
  const find = command('Find', 'find.open', runCommand);
  if (mac) {
    const roles: Item[] = [{ role: 'undo' }, { role: 'redo' }, separator, { role: 'cut' }];
    return [...roles, { role: 'copy' }, { role: 'paste' }, { role: 'selectAll' }, separator, find];
  }
  const shown = { registerAccelerator: false };
  return [
    { role: 'copy', label: 'Copy', accelerator: 'Ctrl+Shift+C', ...shown },
    { role: 'paste', label: 'Paste', accelerator: 'Ctrl+Shift+V', ...shown },
    command('Select all', 'edit.select-all', runCommand),
    separator,
    find,
  ];
}

function viewMenu({ runCommand, isPackaged, toggleFullScreen }: MenuOptions, mac: boolean): Item[] {
  const development: Item[] = [separator, { role: 'reload' }, { role: 'toggleDevTools' }];
  return [
    command('Commands', 'app.palette', runCommand),
    command('Search transcripts…', 'transcripts.search', runCommand),
    separator,
    command('Larger text', 'text.larger', runCommand),
    command('Smaller text', 'text.smaller', runCommand),
    command('Reset text size', 'text.reset', runCommand),
    separator,
    mac ? { role: 'togglefullscreen' } : { label: 'Full screen', click: toggleFullScreen },
    ...(isPackaged ? [] : development),
  ];
}

function panesMenu({ runCommand }: MenuOptions): Item[] {
  return [
    command('Split right', 'pane.split-right', runCommand),
    command('Split down', 'pane.split-down', runCommand),
    command('Maximise pane, or show all panes', 'pane.maximise', runCommand),
  ];
}

function helpMenu({ runCommand }: MenuOptions, mac: boolean): Item[] {
  return [
    command('Keys', 'app.keys', runCommand),
    command('Engines', 'app.engines', runCommand),
    ...(mac ? [] : [separator, { role: 'about', label: 'About Airlock' } as Item]),
  ];
}

function command(label: string, id: string, run: (id: string) => void): Item {
  return { label, click: () => run(id) };
}
