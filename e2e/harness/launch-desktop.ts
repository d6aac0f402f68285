import { launchElectron } from '../electron/launch-electron.ts';
import { launchDesktopDouble } from '../electron-double/launch.ts';
import type { LaunchedDesktop } from '../electron-double/launched-desktop.ts';
import type { LaunchedApp } from './launched-app.ts';

/** The built desktop bundles, on the double or on real Electron. */
export async function launchDesktop(target: 'double' | 'electron', dataDir: string): Promise<LaunchedApp> {
  const launch = target === 'double' ? launchDesktopDouble : launchElectron;
  const desktop: LaunchedDesktop = await launch({ dataDir });
  return {
    page: desktop.page,
    context: desktop.context,
    hostPid: desktop.pid,
    async openedLinks() {
      const calls = await desktop.calls('shell.openExternal');
      return calls.map((call) => String(call.args[0]));
    },
    close: () => desktop.close(),
  };
}
