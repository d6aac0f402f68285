import { EventEmitter } from 'node:events';
import { defineAction, record } from './control.ts';

/** Parts of the desktop that have no page: each call is recorded, each answer comes from the test. */

interface MenuItemOptions {
  readonly label?: string;
  readonly role?: string;
  readonly type?: string;
  readonly enabled?: boolean;
  readonly submenu?: readonly MenuItemOptions[];
  readonly click?: (item: MenuItemOptions, window: unknown, event: object) => void;
}

let applicationMenu: Menu | null = null;
let focusedWindow: () => unknown = () => undefined;

/** The window that menu clicks are given; set by the windows' own module. */
export function setFocusedWindowSource(source: () => unknown): void {
  focusedWindow = source;
}

export class Menu {
  readonly items: readonly MenuItemOptions[];

  constructor(items: readonly MenuItemOptions[] = []) {
    this.items = items;
  }

  static buildFromTemplate(template: readonly MenuItemOptions[]): Menu {
    return new Menu(template);
  }

  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu;
    record('menu.set', menu?.items.map(outline));
  }

  static getApplicationMenu(): Menu | null {
    return applicationMenu;
  }
}

/** A menu item as plain data, for assertions. */
function outline(item: MenuItemOptions): object {
  const { click: _click, submenu, ...plain } = item;
  return submenu ? { ...plain, submenu: submenu.map(outline) } : plain;
}

defineAction('clickMenu', (...path: string[]) => {
  let items = applicationMenu?.items ?? [];
  let item: MenuItemOptions | undefined;
  for (const label of path) {
    item = items.find((candidate) => candidate.label === label);
    if (!item) throw new Error(`No menu item ${path.join(' > ')}.`);
    items = item.submenu ?? [];
  }
  if (!item?.click) throw new Error(`The menu item ${path.join(' > ')} is a role of the system's.`);
  item.click(item, focusedWindow(), {});
});

interface BoxOptions {
  readonly message: string;
  readonly buttons?: readonly string[];
  readonly cancelId?: number;
}

/** Labels of the buttons that the next message boxes are answered with, first come first. */
const boxAnswers: string[] = [];
const folderAnswers: string[] = [];
defineAction('answerMessageBox', (label: string) => void boxAnswers.push(label));
defineAction('answerFolderDialog', (path: string) => void folderAnswers.push(path));

function lastArgument(args: readonly unknown[]): BoxOptions {
  return args.at(-1) as BoxOptions;
}

export const dialog = {
  /** Answers with the test's next label, or as Escape would. */
  async showMessageBox(...args: unknown[]): Promise<{ response: number; checkboxChecked: boolean }> {
    const options = lastArgument(args);
    record('dialog.messageBox', options);
    const label = boxAnswers.shift();
    const response = label === undefined ? (options.cancelId ?? 0) : (options.buttons ?? []).indexOf(label);
    if (response < 0) throw new Error(`The message box has no button "${label}".`);
    return { response, checkboxChecked: false };
  },
  async showOpenDialog(...args: unknown[]): Promise<{ canceled: boolean; filePaths: string[] }> {
    record('dialog.open', args.at(-1));
    const path = folderAnswers.shift();
    return path === undefined ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [path] };
  },
  showErrorBox(title: string, content: string): void {
    record('dialog.error', title, content);
  },
};

export const shell = {
  async openExternal(url: string): Promise<void> {
    record('shell.openExternal', url);
  },
  async openPath(path: string): Promise<string> {
    record('shell.openPath', path);
    return '';
  },
};

/** The system's notifications: what would be shown is recorded. */
export class Notification extends EventEmitter {
  readonly #options: { readonly title?: string; readonly body?: string };

  constructor(options: { readonly title?: string; readonly body?: string } = {}) {
    super();
    this.#options = options;
  }

  static isSupported(): boolean {
    return true;
  }

  show(): void {
    record('notification.show', this.#options);
  }
}

class NativeTheme extends EventEmitter {
  readonly shouldUseHighContrastColors = false;
  #source: 'system' | 'light' | 'dark' = 'system';
  #systemIsDark = false;

  get themeSource(): 'system' | 'light' | 'dark' {
    return this.#source;
  }

  set themeSource(source: 'system' | 'light' | 'dark') {
    record('nativeTheme.themeSource', source);
    this.#source = source;
    setImmediate(() => this.emit('updated'));
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'system' ? this.#systemIsDark : this.#source === 'dark';
  }

  setSystemDark(dark: boolean): void {
    this.#systemIsDark = dark;
    this.emit('updated');
  }
}

export const nativeTheme = new NativeTheme();
defineAction('setSystemDark', (dark: boolean) => nativeTheme.setSystemDark(dark));

/** A machine without a keychain, as Electron says it of one. */
export const safeStorage = { isEncryptionAvailable: () => false };
