import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { BrowserWindow, onAllWindowsClosed } from './browser-window.ts';
import { defineAction, record } from './control.ts';
import { emitPreventable, PreventableEvent } from './preventable-event.ts';
import { onWebContentsCreated } from './web-contents.ts';

/** The life of the application. `ready` comes after the entry module has been evaluated to its end, as in Electron. */
class App extends EventEmitter {
  readonly isPackaged = process.env['AIRLOCK_DOUBLE_PACKAGED'] === '1';
  readonly name = packageJson.productName;
  readonly #paths = new Map<string, string>([
    ['home', homedir()],
    ['temp', tmpdir()],
    ['appData', join(homedir(), '.config')],
    ['userData', join(homedir(), '.config', packageJson.productName)],
  ]);
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #quitting = false;

  readonly commandLine = { hasSwitch: (name: string) => process.argv.includes(`--${name}`) };

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  becomeReady(): void {
    this.#isReady = true;
    this.emit('ready', {});
    this.#ready.resolve();
  }

  getName(): string {
    return this.name;
  }

  getVersion(): string {
    return packageJson.version;
  }

  getPath(name: string): string {
    const path = this.#paths.get(name);
    if (path === undefined) throw new Error(`The double has no path "${name}".`);
    return path;
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path);
  }

  enableSandbox(): void {
    if (this.#isReady) throw new Error('app.enableSandbox() after ready has no effect.');
    record('app.enableSandbox');
  }

  setAboutPanelOptions(options: object): void {
    record('app.setAboutPanelOptions', options);
  }

  setAppUserModelId(id: string): void {
    record('app.setAppUserModelId', id);
  }

  /** One instance per user data folder; a later one leaves its arguments there for the first. */
  requestSingleInstanceLock(): boolean {
    const folder = join(this.getPath('userData'), 'double-instances');
    mkdirSync(folder, { recursive: true });
    const lock = join(folder, 'lock');
    if (livesAnotherInstance(lock)) {
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(process.argv));
      return false;
    }
    writeFileSync(lock, String(process.pid));
    watch(folder, (_kind, file) => this.#announceInstance(folder, file ?? '')).unref();
    return true;
  }

  #announceInstance(folder: string, file: string): void {
    if (!file.endsWith('.json')) return;
    const path = join(folder, file);
    try {
      const argv = JSON.parse(readFileSync(path, 'utf8')) as string[];
      rmSync(path);
      this.emit('second-instance', {}, argv, '/', undefined);
    } catch {
      // Not written to its end yet, or already announced; another event follows the write.
    }
  }

  quit(): void {
    if (emitPreventable(this, 'before-quit')) return;
    this.#quitting = true;
    for (const window of BrowserWindow.getAllWindows()) {
      window.close();
      if (!window.isDestroyed()) {
        this.#quitting = false;
        return;
      }
    }
    if (BrowserWindow.getAllWindows().length === 0) this.#leave();
  }

  relaunch(options?: object): void {
    record('app.relaunch', options);
  }

  exit(code = 0): void {
    record('app.exit', code);
    this.emit('quit', {}, code);
    process.exit(code);
  }

  allWindowsClosed(): void {
    if (this.#quitting) return;
    if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }

  #leave(): void {
    if (emitPreventable(this, 'will-quit')) {
      this.#quitting = false;
      return;
    }
    this.exit(0);
  }
}

function livesAnotherInstance(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

export const app = new App();
onAllWindowsClosed(() => app.allWindowsClosed());
onWebContentsCreated((contents) => app.emit('web-contents-created', new PreventableEvent(), contents));
defineAction('quit', () => app.quit());
defineAction('laterStart', (...argv: string[]) => app.emit('second-instance', {}, argv, '/', undefined));
