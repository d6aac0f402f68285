import { create } from 'zustand';
import type { LoadedManifest, ManifestCatalog } from '../../shared/governed/manifest.ts';

interface ManifestsStore {
  /** Null until the host has said what there is, and again when the connection is lost. */
  readonly catalog: ManifestCatalog | null;
  /** Why there is no catalog, in words. */
  readonly error: string | null;
}

export const useManifests = create<ManifestsStore>(() => ({ catalog: null, error: null }));

/** The same file as it is now: its manifest may have been edited since. */
export function currentManifest(loaded: LoadedManifest): LoadedManifest {
  const { catalog } = useManifests.getState();
  return catalog?.manifests.find(({ file }) => file === loaded.file) ?? loaded;
}
