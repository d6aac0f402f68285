import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Disposable } from '../../shared/disposable.ts';

/** Milliseconds from a change to the report: an editor writes a file in several steps. */
const SETTLE_MS = 100;

/**
 * Reports that something in a folder, or the folder itself, may have changed: it may not exist yet, vanish and come back. Then
 * the nearest folder above that exists is watched for the next step of the path. Never throws; where the system cannot
 * watch, it stays silent.
 */
export class FolderWatch implements Disposable {
  readonly #folder: string;
  readonly #changed: () => void;
  #watchers: FSWatcher[] = [];
  #settling: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(folder: string, changed: () => void) {
    this.#folder = folder;
    this.#changed = changed;
    this.#arm();
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#settling);
    this.#disarm();
  }

  /** Watches the folder for anything, and what is above it for the folder itself. */
  #arm(): void {
    let folder = this.#folder;
    const exists = this.#watch(folder, null);
    for (let above = dirname(folder); above !== folder; above = dirname(folder)) {
      if (this.#watch(above, basename(folder)) || exists) return;
      folder = above;
    }
  }

  /** `only`: the name of the entry that matters. */
  #watch(folder: string, only: string | null): boolean {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (only === null || name === null || name === only) this.#report();
      });
      watcher.on('error', () => this.#report());
      this.#watchers.push(watcher);
      return true;
    } catch {
      return false;
    }
  }

  #report(): void {
    if (this.#disposed) return;
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      // What is there may be another folder of the same name: a watcher keeps to the one that it was made for.
      this.#disarm();
      this.#arm();
      this.#changed();
    }, SETTLE_MS);
  }

  #disarm(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }
}
