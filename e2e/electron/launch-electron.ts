import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ElectronApplication, _electron as electron, type Page } from '@playwright/test';
import { electronProgram } from '../../scripts/electron-binary.ts';
import { ROOT } from '../../scripts/root.ts';
import type { RecordedCall } from '../electron-double/control.ts';
import type { LaunchedDesktop, LaunchOptions } from '../electron-double/launched-desktop.ts';
import { endHost } from '../harness/ending.ts';

/** Milliseconds after which a start that has no window hangs. */
const START_MS = 60_000;

/** What the test left in the main process for itself. */
interface TestState {
  calls: RecordedCall[];
  boxAnswers: string[];
  folderAnswers: string[];
}

/** What only real Electron has besides. */
export interface LaunchedElectron extends LaunchedDesktop {
  readonly app: ElectronApplication;
}

declare global {
  var airlockTest: TestState;
}

/**
 * Runs the built desktop bundles on real Electron, driven and asserted like the double. Dialogs and the system's
 * browser are the only things replaced: a person would have to answer them.
 */
export async function launchElectron(options: LaunchOptions): Promise<LaunchedElectron> {
  const executablePath = program();
  const app = await electron.launch({
    executablePath,
    // Playwright would add --no-sandbox, with which Airlock does not start.
    chromiumSandbox: true,
    args: argumentsOf(options),
    env: { ...process.env, ...options.environment } as Record<string, string>,
    timeout: START_MS,
  });
  await recordDesktopCalls(app);
  const page = await app.firstWindow({ timeout: START_MS });
  await page.waitForURL('app://airlock/**');
  return asDesktop(app, page, options);
}

function program(): string {
  const found = electronProgram();
  if (found === null) throw new Error("Electron's binary is not here: npx install-electron");
  return found;
}

function argumentsOf({ dataDir, args = [] }: LaunchOptions): string[] {
  return [ROOT, '--data-dir', dataDir, ...args];
}

function asDesktop(app: ElectronApplication, page: Page, options: LaunchOptions): LaunchedElectron {
  const child = app.process();
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    app,
    kind: 'electron',
    pid: child.pid as number,
    page,
    context: app.context(),
    calls: (name) =>
      app.evaluate((_, wanted) => globalThis.airlockTest.calls.filter((call) => call.name === wanted), name),
    windows: () => app.windows(),
    clickMenu: (...labels) => app.evaluate(clickMenu, labels),
    answerMessageBox: (label) =>
      app.evaluate((_, answer) => void globalThis.airlockTest.boxAnswers.push(answer), label),
    answerFolderDialog: (path) =>
      app.evaluate((_, answer) => void globalThis.airlockTest.folderAnswers.push(answer), path),
    // Without a window manager, as under Xvfb, no window has the focus: the newest one stands for it.
    closeWindow: () =>
      app
        .evaluate(({ BrowserWindow }) =>
          BrowserWindow.getAllWindows()
            .toSorted((a, b) => b.id - a.id)[0]
            ?.close(),
        )
        .catch(() => {}),
    crashPage: () =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .toSorted((a, b) => b.id - a.id)[0]
          ?.webContents.forcefullyCrashRenderer(),
      ),
    // The process may be gone before the answer is on its way.
    quit: () => app.evaluate(({ app }) => app.quit()).catch(() => {}),
    async startAgain(args = []) {
      const again = spawn(program(), argumentsOf({ ...options, args }), { timeout: START_MS });
      const [code] = await once(again, 'exit');
      return code as number | null;
    },
    exited,
    stderr: () => stderr,
    async close() {
      await endHost(child, () => stderr);
    },
  };
}

/** Runs in the main process: what would need a person is recorded and answered as the test wants. */
function recordDesktopCalls(app: ElectronApplication): Promise<void> {
  return app.evaluate(({ dialog, shell }) => {
    const state: TestState = { calls: [], boxAnswers: [], folderAnswers: [] };
    globalThis.airlockTest = state;
    const record = (name: string, ...args: unknown[]) => void state.calls.push({ name, args });
    shell.openExternal = async (url) => record('shell.openExternal', url);
    dialog.showMessageBox = (async (...args: unknown[]) => {
      const options = args.at(-1) as Electron.MessageBoxOptions;
      record('dialog.messageBox', options);
      const label = state.boxAnswers.shift();
      const response = label === undefined ? (options.cancelId ?? 0) : (options.buttons ?? []).indexOf(label);
      return { response, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
    dialog.showOpenDialog = (async (...args: unknown[]) => {
      record('dialog.open', args.at(-1));
      const path = state.folderAnswers.shift();
      return { canceled: path === undefined, filePaths: path === undefined ? [] : [path] };
    }) as typeof dialog.showOpenDialog;
  });
}

/** Runs in the main process. */
function clickMenu({ Menu }: typeof import('electron'), labels: readonly string[]): void {
  let items = Menu.getApplicationMenu()?.items ?? [];
  let item: Electron.MenuItem | undefined;
  for (const label of labels) {
    item = items.find((candidate) => candidate.label === label);
    items = item?.submenu?.items ?? [];
  }
  if (!item) throw new Error(`No menu item ${labels.join(' > ')}.`);
  item.click();
}
