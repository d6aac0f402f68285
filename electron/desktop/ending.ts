import { type App, type BrowserWindow, dialog, type RelaunchOptions } from 'electron';
import { QUIT_DEADLINE_MS } from '../../shared/terminal/limits.ts';
import type { Host } from '../host.ts';
import type { PageConnections } from './page-connections.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ends windows and the application: asks while sessions run, then releases every session before the process ends
 * (ST-24). The system's own dialog is right here: it belongs to a window that is being closed.
 */
export class Ending {
  readonly #app: App;
  readonly #host: Host;
  readonly #connections: PageConnections;
  readonly #asking = new Set<BrowserWindow | null>();
  #confirmed = false;
  #releasing = false;
  /** The command line of a start that came meanwhile. */
  #next: readonly string[] | null = null;

  constructor(app: App, host: Host, connections: PageConnections) {
    this.#app = app;
    this.#host = host;
    this.#connections = connections;
    app.on('before-quit', (event) => {
      if (!this.#mayQuit()) event.preventDefault();
    });
    app.on('will-quit', (event) => {
      event.preventDefault();
      if (!this.#releasing) void this.#releaseAndExit();
    });
    // Its sessions may still be on their way out; that they end was agreed to when it closed.
    app.on('window-all-closed', () => {
      if (process.platform !== 'darwin') this.quitNow();
    });
    for (const signal of SIGNALS) process.on(signal, () => this.quitNow());
  }

  /** Closing this window asks first while its sessions run. The page has no say in it. */
  guard(window: BrowserWindow): void {
    let agreed = false;
    window.on('close', (event) => {
      const running = agreed || this.#confirmed ? 0 : this.#connections.sessionCount(window.webContents);
      if (running === 0) return;
      event.preventDefault();
      this.#ask(window, `Close this window and end ${sessions(running)}?`, 'Close', () => {
        agreed = true;
        window.close();
      });
    });
    window.webContents.on('will-prevent-unload', (event) => event.preventDefault());
  }

  /** From here on the host lets nobody in, and holds the data folder until the process has ended. */
  get isReleasing(): boolean {
    return this.#releasing;
  }

  /** Starts Airlock again with this command line when the process has ended. */
  startAgain(argv: readonly string[]): void {
    this.#next = argv;
  }

  /** Quits without asking: the system or the terminal that started Airlock wants it so. */
  quitNow(): void {
    this.#confirmed = true;
    this.#app.quit();
  }

  #mayQuit(): boolean {
    const running = this.#host.sessionCount;
    if (this.#confirmed || running === 0) return true;
    this.#ask(null, `Quit Airlock and end ${sessions(running)}?`, 'Quit', () => this.quitNow());
    return false;
  }

  /** One question at a time; Escape and Enter keep what runs. */
  #ask(window: BrowserWindow | null, message: string, verb: string, agreed: () => void): void {
    if (this.#asking.has(window)) return;
    this.#asking.add(window);
    const options = {
      type: 'question' as const,
      message,
      detail: 'Programs that still run in them are ended. Nothing in a sandbox is kept.',
      buttons: [`${verb} and End Sessions`, 'Cancel'],
      defaultId: 1,
      cancelId: 1,
    };
    const answer = window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options);
    void answer
      .then(({ response }) => {
        if (response === 0 && !window?.isDestroyed()) agreed();
      })
      .finally(() => this.#asking.delete(window));
  }

  async #releaseAndExit(): Promise<void> {
    this.#releasing = true;
    const deadline = new Promise<void>((resolve) => setTimeout(resolve, QUIT_DEADLINE_MS));
    try {
      await Promise.race([this.#host.close('Airlock quits.'), deadline]);
    } finally {
      if (this.#next !== null) this.#app.relaunch(relaunchOf(this.#next));
      this.#app.exit();
    }
  }
}

/** What runs of an AppImage lies in a mount that goes with the process. */
function relaunchOf([program, ...args]: readonly string[]): RelaunchOptions {
  const execPath = process.env['APPIMAGE'] ?? program;
  return execPath === undefined ? { args } : { execPath, args };
}

function sessions(count: number): string {
  return count === 1 ? 'a running session' : `${count} running sessions`;
}
