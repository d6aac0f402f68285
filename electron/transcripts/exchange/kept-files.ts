import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EXCHANGE } from '../../../shared/transcripts/limits.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

interface KeptFile<T> {
  readonly about: T;
  readonly path: string;
  forget: NodeJS.Timeout;
}

/** Files of a folder that are removed when nobody has asked for them for a while; the oldest one goes when there are too many. */
export class KeptFiles<T> {
  readonly #folder: string;
  /** Least recently used first. */
  readonly #files = new Map<string, KeptFile<T>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Where a new file may be made. Rejects when the folder cannot be made. */
  async place(id: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return join(this.#folder, id);
  }

  keep(id: string, path: string, about: T): void {
    this.#files.set(id, { about, path, forget: this.#later(id) });
    const [oldest] = this.#files.keys();
    if (this.#files.size > EXCHANGE.kept && oldest !== undefined) void this.forget(oldest);
  }

  /** Keeps it for as long again. */
  use(id: string): { about: T; path: string } | null {
    const file = this.#files.get(id);
    if (file === undefined) return null;
    clearTimeout(file.forget);
    file.forget = this.#later(id);
    this.#files.delete(id);
    this.#files.set(id, file);
    return file;
  }

  /** Its file is removed. Never rejects. */
  async forget(id: string): Promise<void> {
    const file = this.#files.get(id);
    if (file === undefined) return;
    clearTimeout(file.forget);
    this.#files.delete(id);
    await rm(file.path, { force: true }).catch(() => {});
  }

  async close(): Promise<void> {
    await Promise.all([...this.#files.keys()].map((id) => this.forget(id)));
  }

  #later(id: string): NodeJS.Timeout {
    return setTimeout(() => void this.forget(id), EXCHANGE.keptMs).unref();
  }
}

/** Removes what a host that was killed left in a folder a day ago or longer. Never rejects. */
export async function removeLeftovers(folder: string, prefix = ''): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const path = join(folder, name);
    const about = await stat(path).catch(() => null);
    if (about !== null && Date.now() - about.mtimeMs > DAY_MS) {
      await rm(path, { recursive: true, force: true }).catch(() => {});
    }
  }
}
