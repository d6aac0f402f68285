import { dirname, join, resolve } from 'node:path';
import { type Disposable, DisposableStore } from '../../../shared/disposable.ts';
import { Emitter } from '../../../shared/emitter.ts';
import type { LoadedManifest, ManifestCatalog } from '../../../shared/governed/manifest.ts';
import { FolderWatch } from '../folder-watch.ts';
import type { Project } from './arguments/project-checks.ts';
import { joinFolders } from './load-manifests.ts';
import { type FolderContents, type ManifestFolder, readManifestFolder } from './manifest-folder.ts';

export interface ManifestLibraryEvents {
  /** Something in a folder changed; the new catalog. */
  readonly changed: ManifestCatalog;
}

export interface ManifestLibraryOptions {
  /** The user's folder: `<dataDir>/tools`. */
  readonly userFolder: string;
  /** Airlock's own examples; null where they are not installed. */
  readonly examplesFolder: string | null;
}

/**
 * Every manifest that there is, kept up to date while files change: the user's, those of projects, the examples. A manifest that
 * is in use is not affected by a change: `LoadedManifest` is a value, named by its digest.
 */
export class ManifestLibrary implements Disposable {
  readonly #events = new Emitter<ManifestLibraryEvents>();
  readonly #fixed: readonly ManifestFolder[];
  #projects: readonly ManifestFolder[] = [];
  #contents: readonly FolderContents[] = [];
  #catalog: ManifestCatalog = { manifests: [], problems: [], folders: [] };
  #watches = new DisposableStore();
  #loading: Promise<void> = Promise.resolve();
  #disposed = false;

  constructor(options: ManifestLibraryOptions) {
    const folders: ManifestFolder[] = [{ path: resolve(options.userFolder), origin: 'user' }];
    if (options.examplesFolder !== null) {
      folders.push({ path: resolve(options.examplesFolder), origin: 'example' });
    }
    this.#fixed = folders;
    this.#watchFolders();
  }

  /** What is known now; empty before the first `reload` resolved. */
  get catalog(): ManifestCatalog {
    return this.#catalog;
  }

  on(event: 'changed', listener: (catalog: ManifestCatalog) => void): Disposable {
    return this.#events.on(event, listener);
  }

  /** The projects whose `tools/` folders count from now on, as absolute paths. Resolves when they are read. */
  setProjects(folders: readonly string[]): Promise<void> {
    const paths = [...new Set(folders.map((folder) => join(resolve(folder), 'tools')))];
    if (paths.join('\0') === this.#projects.map(({ path }) => path).join('\0')) return this.#loading;
    this.#projects = paths.map((path) => ({ path, origin: 'project' }));
    this.#watchFolders();
    return this.reload();
  }

  /** Reads every folder again. Resolves when the catalog is that of now or later. Never rejects. */
  reload(): Promise<void> {
    this.#loading = this.#loading.then(async () => {
      if (this.#disposed) return;
      const contents = await Promise.all(this.#folders.map(readManifestFolder));
      if (this.#disposed) return;
      const catalog = joinFolders(contents);
      const changed = JSON.stringify(catalog) !== JSON.stringify(this.#catalog);
      this.#contents = contents;
      if (!changed) return;
      this.#catalog = catalog;
      this.#events.fire('changed', catalog);
    });
    return this.#loading;
  }

  /** The manifest in this file; with a digest only when the file still has exactly that text. */
  find(file: string, digest?: string): LoadedManifest | undefined {
    return this.#catalog.manifests.find(
      (loaded) => loaded.file === file && (digest === undefined || loaded.digest === digest),
    );
  }

  /** The project that a manifest's calls are checked against: the folder around its folder, with its scope. */
  projectOf(loaded: LoadedManifest): Project {
    const folder = dirname(loaded.file);
    const scope = this.#contents.find((one) => one.folder.path === folder)?.scope ?? null;
    return { folder: dirname(folder), scope };
  }

  dispose(): void {
    this.#disposed = true;
    this.#watches.dispose();
    this.#events.clear();
  }

  get #folders(): readonly ManifestFolder[] {
    return [...this.#fixed, ...this.#projects];
  }

  /** Each folder, and for the custom types and the scope what is beside it. */
  #watchFolders(): void {
    this.#watches.dispose();
    this.#watches = new DisposableStore();
    if (this.#disposed) return;
    const changed = () => void this.reload();
    for (const { path, origin } of this.#folders) {
      this.#watches.add(new FolderWatch(path, changed));
      if (origin === 'example') continue;
      this.#watches.add(new FolderWatch(join(dirname(path), 'scope'), changed));
      this.#watches.add(new FolderWatch(join(dirname(path), 'toolclad.toml'), changed));
    }
  }
}
