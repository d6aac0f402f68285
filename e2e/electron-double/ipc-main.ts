import { EventEmitter } from 'node:events';

/** Gets every message of every page, after the page's own `webContents.ipc`. */
export const ipcMain = new EventEmitter();
