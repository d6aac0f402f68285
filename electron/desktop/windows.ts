import { join } from 'node:path';
import { BrowserWindow, type BrowserWindowConstructorOptions } from 'electron';
import { APP_URL } from './app-origin.ts';

/** Pixels. Below the smallest size a pane's header and the status line no longer fit. */
const FIRST_SIZE = { width: 1200, height: 780 } as const;
const SMALLEST_SIZE = { minWidth: 480, minHeight: 320 } as const;

/** The preload bundle lies beside the main bundle. */
const PRELOAD = join(import.meta.dirname, 'preload.cjs');

export interface WindowsOptions {
  /** CSS colour of a window before its page has drawn. */
  readonly background: () => string;
  /** Told of each window before its page is loaded. */
  readonly onOpen: (window: BrowserWindow) => void;
}

/** Opens windows, each with a page of its own, and knows which one was used last. */
export class Windows {
  readonly #options: WindowsOptions;
  readonly #slots = new Map<BrowserWindow, number>();
  #last: BrowserWindow | null = null;

  constructor(options: WindowsOptions) {
    this.#options = options;
  }

  /** The window that was used last, or null when there is none. */
  get last(): BrowserWindow | null {
    return this.#last ?? this.#slots.keys().next().value ?? null;
  }

  open(): BrowserWindow {
    const slot = this.#freeSlot();
    const window = new BrowserWindow(windowOptions(slot, this.#options.background()));
    this.#slots.set(window, slot);
    this.#last = window;
    window.on('focus', () => {
      this.#last = window;
    });
    window.once('closed', () => {
      this.#slots.delete(window);
      if (this.#last === window) this.#last = null;
    });
    window.once('ready-to-show', () => window.show());
    this.#options.onOpen(window);
    void window
      .loadURL(APP_URL)
      .catch((reason) => console.error(`airlock: the page did not load: ${reason}`));
    return window;
  }

  /** Brings the last window to the front; opens one when there is none. */
  show(): void {
    const window = this.last;
    if (window === null) {
      this.open();
      return;
    }
    if (window.isMinimized()) window.restore();
    window.focus();
  }

  /** The lowest number that no window has: a window opened in its place finds its size and position again. */
  #freeSlot(): number {
    const taken = new Set(this.#slots.values());
    let slot = 1;
    while (taken.has(slot)) slot += 1;
    return slot;
  }
}

/** Electron keeps each name's size, position and display mode, and fits them to the displays that are there. */
function windowOptions(slot: number, backgroundColor: string): BrowserWindowConstructorOptions {
  return {
    name: `window-${slot}`,
    windowStatePersistence: true,
    ...FIRST_SIZE,
    ...SMALLEST_SIZE,
    title: 'Airlock',
    backgroundColor,
    show: false,
    webPreferences: {
      preload: PRELOAD,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      // A hidden window goes on parsing and acknowledging, so that its programs go on and end (B31).
      backgroundThrottling: false,
    },
  };
}
