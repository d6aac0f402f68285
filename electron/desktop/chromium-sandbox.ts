import type { App } from 'electron';
import { ownCommand } from '../own-command.ts';

/**
 * Throws when the window would run outside Chromium's own sandbox. Nobody has to ask for that: an AppImage's launcher
 * adds `--no-sandbox` by itself where it finds no user namespaces. A page that shows what untrusted programs print is
 * not run so; it fails closed.
 */
export function requireChromiumSandbox(app: App): void {
  if (!app.commandLine.hasSwitch('no-sandbox')) return;
  throw new Error(
    'The window would run without its own sandbox (--no-sandbox). Allow user namespaces, or install the deb or rpm ' +
      `package, which brings the AppArmor profile that does. "${ownCommand('serve')}" works in a browser meanwhile.`,
  );
}
