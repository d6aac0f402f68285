import { dirname, join, resolve } from 'node:path';
import { type Disposable, DisposableStore } from '../../../shared/disposable.ts';
import { Emitter } from '../../../shared/emitter.ts';
import type { LoadedManifest, ManifestCatalog } from '../../../shared/governed/manifest.ts';
import { FolderWatch } from '../folder-watch.ts';
import type { Project } from './arguments/project-checks.ts';
import { ManifestChecker } from './checking/manifest-checker.ts';
import { joinFolders } from './join-folders.ts';
import { type FolderContents, type ManifestFolder, readManifestFolder } from './manifest-folder.ts';

export interface ManifestLibraryEvents {
  /** Something in a folder may have changed. */
  readonly changed: undefined;
}

export interface ManifestLibraryOptions {
  /** The user's folder: `<dataDir>/tools`. */
  readonly userFolder: string;
  /** Airlock's own examples; null where they are not installed. */
  readonly examplesFolder: string | null;
}

/** Projects that are watched: those that were read last. */
const PROJECTS_WATCHED_MAX = 8;

/** What was read at one time. A manifest that is in use is not affected by a change: its digest names exactly its text. */
export class Manifests {
  readonly catalog: ManifestCatalog;
  readonly #contents: readonly FolderContents[];

  constructor(contents: readonly FolderContents[]) {
    this.catalog = joinFolders(contents);
    this.#contents = contents;
  }

  /** The project that a manifest's calls are checked against: the folder around its folder, with its scope. */
  projectOf(loaded: LoadedManifest): Project {
    const folder = dirname(loaded.file);
    const scope = this.#contents.find((one) => one.folder.path === folder)?.scope ?? null;
    return { folder: dirname(folder), scope };
  }
}

/**
 * Every manifest that there is: the user's, those of a project, the examples. Clients have projects of their own, so each is
 * read for whoever asks; only that something changed is told to all.
 */
export class ManifestLibrary implements Disposable {
  readonly #events = new Emitter<ManifestLibraryEvents>();
  readonly #fixed: readonly ManifestFolder[];
  readonly #owned = new DisposableStore();
  readonly #checker = this.#owned.add(new ManifestChecker());
  /** By the path of their `tools/`, the one that was read last at the end. */
  readonly #projects = new Map<string, Disposable>();
  #disposed = false;

  constructor(options: ManifestLibraryOptions) {
    const folders: ManifestFolder[] = [{ path: resolve(options.userFolder), origin: 'user' }];
    if (options.examplesFolder !== null) {
      folders.push({ path: resolve(options.examplesFolder), origin: 'example' });
    }
    this.#fixed = folders;
    for (const folder of folders) this.#owned.add(this.#watch(folder));
  }

  on(event: 'changed', listener: () => void): Disposable {
    return this.#events.on(event, listener);
  }

  /** Reads every folder, with the `tools/` of `project`, an absolute path, where there is one. Never rejects. */
  async read(project: string | null): Promise<Manifests> {
    const folders = [...this.#fixed];
    if (project !== null) {
      const folder: ManifestFolder = { path: join(resolve(project), 'tools'), origin: 'project' };
      this.#watchProject(folder);
      folders.push(folder);
    }
    return new Manifests(
      await Promise.all(folders.map((folder) => readManifestFolder(folder, this.#checker))),
    );
  }

  dispose(): void {
    this.#disposed = true;
    this.#owned.dispose();
    for (const watch of this.#projects.values()) watch.dispose();
    this.#events.clear();
  }

  #watchProject(folder: ManifestFolder): void {
    if (this.#disposed) return;
    const watch = this.#projects.get(folder.path) ?? this.#watch(folder);
    this.#projects.delete(folder.path);
    this.#projects.set(folder.path, watch);
    const [oldest] = this.#projects;
    if (oldest === undefined || this.#projects.size <= PROJECTS_WATCHED_MAX) return;
    this.#projects.delete(oldest[0]);
    oldest[1].dispose();
  }

  /** The folder, and for the custom types and the scope what is beside it. */
  #watch({ path, origin }: ManifestFolder): Disposable {
    const watches = new DisposableStore();
    const changed = () => this.#events.fire('changed', undefined);
    watches.add(new FolderWatch(path, changed));
    if (origin === 'example') return watches;
    watches.add(new FolderWatch(join(dirname(path), 'scope'), changed));
    watches.add(new FolderWatch(join(dirname(path), 'toolclad.toml'), changed));
    return watches;
  }
}
