/**
 * The desktop host. Everything that must precede `ready` runs while this module is evaluated; Electron becomes ready
 * when that is done, so nothing here may wait for it at the top level.
 */
import { join } from 'node:path';
import { app, dialog, protocol, session } from 'electron';
import { ApprovalPageApi } from './approvals/approval-page-api.ts';
import { localApprover } from './approvals/approval-queue.ts';
import { APPROVAL_TIMEOUT_BOUND, parseApprovalTimeout } from './approvals/wait-time.ts';
import { registerAppScheme, setupAppProtocol, setupApprovalProtocol } from './desktop/app-protocol.ts';
import { setupApprovalNotices } from './desktop/approval-notices.ts';
import { ApprovalView } from './desktop/approval-view.ts';
import { readArguments } from './desktop/arguments.ts';
import { requireChromiumSandbox } from './desktop/chromium-sandbox.ts';
import { Ending } from './desktop/ending.ts';
import { systemKeyWrapper } from './desktop/key-wrapper.ts';
import { keepKeysFromMenu, setupMenu } from './desktop/menu.ts';
import { setupNavigationGuard } from './desktop/navigation.ts';
import { PageConnections } from './desktop/page-connections.ts';
import { setupCrashRecovery } from './desktop/page-crash.ts';
import { setupPermissions } from './desktop/permissions.ts';
import { createPlatformServices } from './desktop/platform-services.ts';
import { openElectronStoreFile } from './desktop/settings-file.ts';
import { setupLaterStarts } from './desktop/single-instance.ts';
import { setupTheme, windowBackground } from './desktop/theme.ts';
import { Windows } from './desktop/windows.ts';
import { Host } from './host.ts';
import { reportRecovery } from './report-recovery.ts';
import { createEngines } from './sandbox/engines.ts';
import { dataDir, prepareDataDir } from './settings/data-dir.ts';
import { HostTokens } from './settings/host-tokens.ts';

const given = readArguments(process.argv);
const folder = dataDir(given.dataDir);
// Chromium's own files, the window positions and the lock of the one instance follow the data folder.
app.setPath('userData', join(folder, 'desktop'));
app.enableSandbox();
registerAppScheme(protocol);
setupNavigationGuard(app);

try {
  prepareDataDir(folder);
  if (app.requestSingleInstanceLock()) app.whenReady().then(start).catch(giveUp);
  else app.quit();
} catch (reason) {
  giveUp(reason);
}

function start(): void {
  requireChromiumSandbox(app);
  setupPermissions(session.defaultSession);
  setupAppProtocol(session.defaultSession, join(import.meta.dirname, '../renderer'));
  const keyWrapper = systemKeyWrapper();
  const host: Host = new Host({
    kind: 'desktop',
    version: app.getVersion(),
    dataDir: folder,
    engines: createEngines({
      privateFolders: [folder],
      dataDir: folder,
      tokens: new HostTokens(folder, 'smolvm', keyWrapper),
    }),
    openSettingsFile: openElectronStoreFile,
    approvalWaitMs: approvalWaitMs(),
    platform: createPlatformServices(() => windows.last),
    keyWrapper,
    report: (reference, fault) => console.error(`airlock: fault ${reference}:`, fault),
  });
  void reportRecovery(host);
  setupTheme(host.settings);
  const connections = new PageConnections(host);
  const ending = new Ending(app, host, connections);
  const approvalSession = session.fromPartition('approvals');
  setupPermissions(approvalSession);
  setupApprovalProtocol(approvalSession, join(import.meta.dirname, '../approval'));
  const api = new ApprovalPageApi({
    queue: host.approvals,
    approver: localApprover('desktop'),
    theme: () => host.settings.snapshot().settings.appearance.theme,
  });
  const windows: Windows = new Windows({
    background: () => windowBackground(host.settings.snapshot().settings.appearance.theme),
    onOpen: (window) => {
      const view = new ApprovalView({
        window,
        session: approvalSession,
        api,
        onGone: () => connections.send(window.webContents, { event: 'approvals.view-gone' }),
      });
      connections.serve(window.webContents, view);
      keepKeysFromMenu(window);
      setupCrashRecovery(window);
      ending.guard(window);
    },
  });
  setupApprovalNotices(host.approvals, () => windows.show());
  setupMenu(app, windows, connections);
  setupLaterStarts(app, windows, ending);
  windows.open();
}

function approvalWaitMs(): number | undefined {
  if (given.approvalTimeout === undefined) return undefined;
  const milliseconds = parseApprovalTimeout(given.approvalTimeout);
  if (milliseconds === null) throw new Error(`--approval-timeout: ${APPROVAL_TIMEOUT_BOUND}`);
  return milliseconds;
}

/** A start that fails says why in a dialog as well: a desktop application often has no terminal to say it in. */
function giveUp(reason: unknown): void {
  const text = reason instanceof Error ? reason.message : String(reason);
  console.error(`airlock: ${text}`);
  dialog.showErrorBox('Airlock could not start', `${text}\n\nData folder: ${folder}`);
  app.exit(1);
}
