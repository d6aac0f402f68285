import { launchElectron } from '../electron/launch-electron.ts';
import { launchDesktopDouble } from '../electron-double/launch.ts';
import type { LaunchedDesktop } from '../electron-double/launched-desktop.ts';
import type { LaunchedApp } from './launched-app.ts';
import type { WorkerBrowsers } from './worker-browsers.ts';

/** The built desktop bundles, on the double or on real Electron. */
export async function launchDesktop(
  target: 'double' | 'electron',
  browsers: WorkerBrowsers,
  dataDir: string,
): Promise<LaunchedApp> {
  const desktop: LaunchedDesktop =
    target === 'double'
      ? await launchDesktopDouble({ dataDir }, await browsers.reachable())
      : await launchElectron({ dataDir });
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
