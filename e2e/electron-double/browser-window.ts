import { EventEmitter } from 'node:events';
import { defineAction, record } from './control.ts';
import { setFocusedWindowSource } from './native-parts.ts';
import { emitPreventable } from './preventable-event.ts';
import { WebContents } from './web-contents.ts';
import type { WebContentsView } from './web-contents-view.ts';

interface WindowOptions {
  readonly width?: number;
  readonly height?: number;
  readonly webPreferences?: { readonly preload?: string };
}

const windows: BrowserWindow[] = [];
const lifecycle = new EventEmitter();

/** Tells `listener` when the last window has closed. */
export function onAllWindowsClosed(listener: () => void): void {
  lifecycle.on('all-closed', listener);
}

/** The window calls that are used. Size, position and stacking are not the double's to show: it records the options. */
export class BrowserWindow extends EventEmitter {
  static #lastId = 0;
  readonly id = ++BrowserWindow.#lastId;
  readonly webContents: WebContents;
  /** What lies over the page. Placing and stacking are recorded. */
  readonly contentView = {
    addChildView: (view: WebContentsView) => record('contentView.addChildView', view.webContents.id),
    removeChildView: (view: WebContentsView) => record('contentView.removeChildView', view.webContents.id),
  };
  readonly #size: { readonly width: number; readonly height: number };
  #destroyed = false;
  #minimized = false;

  constructor(options: WindowOptions = {}) {
    super();
    record('window.created', options);
    const { width = 800, height = 600, webPreferences } = options;
    if (!webPreferences?.preload) throw new Error('The double runs windows with a preload only.');
    this.#size = { width, height };
    this.webContents = new WebContents(webPreferences.preload, this.#size);
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show'));
    this.webContents.once('target-destroyed', () => this.destroy());
    windows.unshift(this);
  }

  static getAllWindows(): BrowserWindow[] {
    return [...windows];
  }

  static getFocusedWindow(): BrowserWindow | null {
    const [front] = windows;
    return front === undefined || front.isMinimized() ? null : front;
  }

  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return windows.find((window) => window.webContents === contents) ?? null;
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }

  show(): void {
    record('window.show', this.id);
    this.focus();
  }

  focus(): void {
    record('window.focus', this.id);
    windows.splice(windows.indexOf(this), 1);
    windows.unshift(this);
    this.emit('focus');
    void this.webContents.bringToFront().catch(() => {});
  }

  minimize(): void {
    this.#minimized = true;
  }

  isMinimized(): boolean {
    return this.#minimized;
  }

  restore(): void {
    record('window.restore', this.id);
    this.#minimized = false;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  getContentBounds(): { x: number; y: number; width: number; height: number } {
    return { x: 0, y: 0, ...this.#size };
  }

  isFullScreen(): boolean {
    return false;
  }

  setFullScreen(full: boolean): void {
    record('window.setFullScreen', full);
  }

  setBackgroundColor(color: string): void {
    record('window.setBackgroundColor', color);
  }

  /** What the window's close button does: the app may prevent it. Pages' beforeunload handlers are not run. */
  close(): void {
    if (!this.#destroyed && !emitPreventable(this, 'close')) this.destroy();
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    windows.splice(windows.indexOf(this), 1);
    void this.webContents.destroy();
    this.emit('closed');
    if (windows.length === 0) setImmediate(() => lifecycle.emit('all-closed'));
  }
}

setFocusedWindowSource(() => windows[0]);

function focused(): BrowserWindow {
  if (!windows[0]) throw new Error('There is no window.');
  return windows[0];
}

defineAction('closeWindow', () => focused().close());
defineAction('minimizeWindow', () => focused().minimize());
defineAction('crashPage', () => focused().webContents.crash());
defineAction('forgeIpc', (channel: string, frame: { origin: string; url: string; isMainFrame: boolean }) =>
  focused().webContents.forgeIpc(channel, frame),
);
