import type { App } from 'electron';
import { readArguments } from './arguments.ts';
import type { Windows } from './windows.ts';

/** A later start on the same data folder comes here: it shows the last window, or opens one when asked for it. */
export function setupLaterStarts(app: App, windows: Windows): void {
  app.on('second-instance', (_event, argv) => {
    if (readArguments(argv).newWindow) windows.open();
    else windows.show();
  });
  // macOS: the Dock's icon.
  app.on('activate', () => windows.show());
}
