/**
 * A double of the few Electron calls that Airlock uses, over plain Node and a Chromium that the test owns. It runs
 * the built main and preload bundles unchanged.
 *
 * True here as in Electron: the app's handlers answer every request of the page and their headers are enforced by
 * Chromium; preloads run in an isolated world that shares only the DOM; ports carry bytes intact and in order and
 * close with their document; `ready` follows the whole entry module; close, quit and second-instance follow
 * Electron's order of events.
 *
 * Not shown here, only by Electron itself: the process sandbox and the fuses; that `app://` is a scheme (here it is
 * an https origin); that Chromium asks the permission handlers (here they are asked once per load, and devices and
 * downloads not at all); that a refused window never exists because it was asked for; a page's `beforeunload` at a
 * closing window; that a view lies over its window's page and does not take the focus (here it is a window of its own, its
 * place is recorded); where keys go that the page leaves to the menu; what a hidden window's page still does; what the
 * system does with menus, dialogs, themes, signals and window positions; packaging and asar.
 */
import { app } from './app.ts';
import { BrowserWindow } from './browser-window.ts';
import { ipcMain } from './ipc-main.ts';
import { MessageChannelMain } from './message-ports.ts';
import { dialog, Menu, Notification, nativeTheme, safeStorage, shell } from './native-parts.ts';
import { protocol, session } from './session.ts';
import { WebContentsView } from './web-contents-view.ts';

export {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MessageChannelMain,
  Notification,
  nativeTheme,
  protocol,
  safeStorage,
  session,
  shell,
  WebContentsView,
};
export default {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MessageChannelMain,
  Notification,
  nativeTheme,
  protocol,
  safeStorage,
  session,
  shell,
  WebContentsView,
};
