import type { App } from 'electron';
import { readArguments } from './arguments.ts';
import type { Ending } from './ending.ts';
import type { Windows } from './windows.ts';

/**
 * A later start on the same data folder comes here: it shows the last window, or opens one when asked for it. While this
 * process ends, no window of it would have a host: the start is made when it has ended.
 */
export function setupLaterStarts(app: App, windows: Windows, ending: Ending): void {
  app.on('second-instance', (_event, argv) => {
    if (ending.isReleasing) ending.startAgain(argv);
    else if (readArguments(argv).newWindow) windows.open();
    else windows.show();
  });
  // macOS: the Dock's icon.
  app.on('activate', () => {
    if (ending.isReleasing) ending.startAgain(process.argv);
    else windows.show();
  });
}
