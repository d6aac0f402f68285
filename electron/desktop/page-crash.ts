import { type BrowserWindow, dialog } from 'electron';

/** Milliseconds after a reload in which another end of the page is not answered by reloading alone. */
const RELOAD_AGAIN_MS = 60_000;

/**
 * A page whose process has ended lost its connection, and with it its sessions (ST-23). It is loaded again at once;
 * when that does not hold, a person decides.
 */
export function setupCrashRecovery(window: BrowserWindow): void {
  let lastReload = Number.NEGATIVE_INFINITY;
  const reload = () => {
    if (window.isDestroyed()) return;
    lastReload = performance.now();
    window.webContents.reload();
  };
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    console.error(`airlock: the page's process has ended (${reason})`);
    // Not within the event: Chromium is still taking the old process down.
    if (performance.now() - lastReload > RELOAD_AGAIN_MS) setImmediate(reload);
    else void askToReload(window, reason, reload);
  });
}

async function askToReload(window: BrowserWindow, reason: string, reload: () => void): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'This window has stopped working again.',
    detail: `Its page ended (${reason}). Its sessions have been released; other windows go on.`,
    buttons: ['Load Again', 'Close Window'],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) reload();
  else window.destroy();
}
