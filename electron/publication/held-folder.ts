import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, realpath, unlink } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import type { OutFolder } from '../sandbox/engine.ts';
import { outFolderGone } from './file-errors.ts';

/** Device and inode as text: inode numbers can exceed 2^53 (F14). */
export type FileIdentity = readonly [dev: string, ino: string];

export function identityOf(stats: { readonly dev: bigint; readonly ino: bigint }): FileIdentity {
  return [String(stats.dev), String(stats.ino)];
}

export function sameIdentity(a: FileIdentity, b: FileIdentity): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** Called with each folder on the way, the last one included. What it throws ends the walk. */
export type Visit = (folder: HeldFolder) => void;

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Not in Node's constants; the same number on every Linux. Needs no right to list the folder. */
const O_PATH = 0o10000000;

/**
 * A folder held open: names are looked up in it whatever its path leads to by now. Node has no openat(2); a path through
 * /proc/self/fd does the same (F14), which is why this works on Linux alone.
 */
export class HeldFolder {
  /** The path by which it was opened. */
  readonly path: string;
  readonly identity: FileIdentity;
  readonly #handle: FileHandle;

  private constructor(path: string, identity: FileIdentity, handle: FileHandle) {
    this.path = path;
    this.identity = identity;
    this.#handle = handle;
  }

  /**
   * Opens an absolute path component by component. Rejects where one of them is a link or not a folder, and with what
   * `visit` throws of one.
   */
  static async open(path: string, visit: Visit = () => {}): Promise<HeldFolder> {
    if (!isAbsolute(path)) throw new Error(`${path} is not an absolute path`);
    const top = await HeldFolder.#from('/', '/', O_PATH);
    const names = path.split(sep).filter((part) => part !== '');
    return top.#walk(names, visit);
  }

  /**
   * Opens a folder that a person named: links in the path are followed once, here, and none afterwards. `path` stays as
   * it was named, so that opening it again tells whether it still leads here.
   */
  static async openNamed(path: string, visit?: Visit): Promise<HeldFolder> {
    const folder = await HeldFolder.open(await realpath(path), visit);
    return new HeldFolder(path, folder.identity, folder.#handle);
  }

  /**
   * Opens the /out of a sandbox, whose path the host itself named: only its last step must not be a link. Rejects where it
   * was not that sandbox's any more by then.
   */
  static async openOut(out: OutFolder): Promise<HeldFolder> {
    const folder = await HeldFolder.#from(out.path, out.path, O_RDONLY);
    // While the sandbox runs nothing else has its number: what was opened before is its own.
    if (out.isStillThere()) return folder;
    folder.close();
    throw outFolderGone();
  }

  static async #from(path: string, at: string, flags: number): Promise<HeldFolder> {
    const handle = await open(at, flags | O_DIRECTORY | O_NOFOLLOW);
    return HeldFolder.#of(path, handle);
  }

  static async #of(path: string, handle: FileHandle): Promise<HeldFolder> {
    try {
      return new HeldFolder(path, identityOf(await handle.stat({ bigint: true })), handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Opens the folder at the end of `names` below this one, as `open` does. */
  async descend(names: readonly string[], visit: Visit = () => {}): Promise<HeldFolder> {
    const here = await HeldFolder.#from(this.path, this.at('.'), O_PATH);
    return here.#walk(names, visit);
  }

  /** Gives itself up for the folder that it returns. */
  async #walk(names: readonly string[], visit: Visit): Promise<HeldFolder> {
    let folder: HeldFolder = this;
    for (const name of names) {
      folder = await folder.#enter(name);
      try {
        visit(folder);
      } catch (error) {
        folder.close();
        throw error;
      }
    }
    return folder.#listable();
  }

  async #enter(name: string): Promise<HeldFolder> {
    try {
      return await HeldFolder.#from(join(this.path, name), this.at(name), O_PATH);
    } finally {
      this.close();
    }
  }

  /** The same folder, opened so that it can be synced. */
  async #listable(): Promise<HeldFolder> {
    try {
      return await this.again();
    } finally {
      this.close();
    }
  }

  /** Holds the same folder once more, with an end of its own. */
  again(): Promise<HeldFolder> {
    return HeldFolder.#from(this.path, this.at('.'), O_RDONLY);
  }

  /** A path of `name` that stays in this folder; good while it is held. */
  at(name: string): string {
    return `/proc/self/fd/${this.#handle.fd}/${name}`;
  }

  /** Opens a file without following a link and without waiting for a pipe's other end. */
  openFile(name: string, flags: number, mode?: number): Promise<FileHandle> {
    return open(this.at(name), flags | O_NOFOLLOW | O_NONBLOCK, mode);
  }

  /** What `name` is, links not followed; null when there is nothing. */
  async look(name: string): Promise<{ readonly identity: FileIdentity; readonly isFile: boolean } | null> {
    try {
      const stats = await lstat(this.at(name), { bigint: true });
      return { identity: identityOf(stats), isFile: stats.isFile() };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** Gives a file a second name. Atomic; rejects with EEXIST when there is anything of that name (F9). */
  link(from: string, to: string): Promise<void> {
    return link(this.at(from), this.at(to));
  }

  unlink(name: string): Promise<void> {
    return unlink(this.at(name));
  }

  sync(): Promise<void> {
    return this.#handle.sync();
  }

  /** Whether its path still leads to it. */
  async isStillAtItsPath(): Promise<boolean> {
    try {
      const now = await HeldFolder.openNamed(this.path);
      now.close();
      return sameIdentity(now.identity, this.identity);
    } catch {
      return false;
    }
  }

  close(): void {
    this.#handle.close().catch(() => {});
  }
}
