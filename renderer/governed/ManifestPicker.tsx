import { FileWarning } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { LoadedManifest, ManifestCatalog } from '../../shared/governed/manifest.ts';
import { sandboxProfiles } from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import { PaletteList } from '../commands/PaletteList.tsx';
import { useManifests } from '../state/manifests-store.ts';
import { useSettings } from '../state/settings-store.ts';
import { CopyLine } from '../ui/CopyLine.tsx';
import { counted } from '../ui/format.ts';
import { useIsMounted } from '../ui/use-is-mounted.ts';
import { FolderInput } from './FolderInput.tsx';
import { manifestFacts } from './governed-words.ts';
import { ManifestFindings } from './ManifestFindings.tsx';
import { manifestText, needsFolder, originWords } from './manifest-words.ts';
import { useTypedFolder } from './use-typed-folder.ts';
import './manifest-picker.css';

/**
 * Chooses the manifest of a governed session, the profile that it runs on, and the folder that its files are in. Problems
 * of files that cannot be used, and warnings about others, stand below in full and hide nothing (M1).
 */
export function ManifestPicker({ onClose }: { readonly onClose: () => void }) {
  const { manifests, workspace } = useServices();
  const { catalog, error } = useManifests();
  const settings = useSettings((state) => state.settings);
  const profiles = sandboxProfiles(settings);
  const [profileId, setProfileId] = useState(settings.defaultProfile);
  const profile = profiles.find(({ id }) => id === profileId) ?? profiles[0];
  const { folder, settled, field } = useTypedFolder(profile?.project ?? null);
  const [folderWanted, setFolderWanted] = useState<string | null>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  useEffect(() => void manifests.load(folder), [manifests, folder]);
  const isMounted = useIsMounted();
  const choose = async (chosen: LoadedManifest) => {
    const project = await settled();
    if (!isMounted()) return;
    if (needsFolder(chosen) && project === null) {
      setFolderWanted(chosen.manifest.name);
      folderInput.current?.focus();
      return;
    }
    onClose();
    workspace.openTab({ profileId: profile?.id, project: project ?? undefined, manifest: chosen });
  };
  return (
    <>
      {catalog === null ? (
        <p className="picker-loading" role="status">
          {error ?? 'Looking for manifests…'}
        </p>
      ) : catalog.manifests.length === 0 ? (
        <NoManifests catalog={catalog} />
      ) : (
        <PaletteList
          entries={catalog.manifests.map((loaded) => ({
            id: loaded.file,
            title: loaded.manifest.name,
            group: '',
            details: <ManifestDetails loaded={loaded} />,
            // Until the host has looked at the folder: it may be one that cannot be used.
            keepsOpen: true,
            choose: () => void choose(loaded),
          }))}
          label="Search manifests"
          none="No manifest matches."
          onClose={onClose}
        />
      )}
      <div className="picker-foot">
        {catalog !== null && (
          <>
            <ManifestFindings kind="problems" findings={catalog.problems} />
            <ManifestFindings
              kind="warnings"
              findings={catalog.manifests.flatMap(({ warnings }) => warnings)}
            />
          </>
        )}
        <div className="picker-fields">
          {profiles.length > 1 && (
            <label className="picker-field">
              <span className="picker-label">Runs on</span>
              <select
                className="picker-select"
                value={profile?.id}
                onChange={(event) => setProfileId(event.target.value)}
              >
                {profiles.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <FolderInput
            label="Folder of its files"
            {...field}
            inputRef={folderInput}
            wanted={
              folderWanted === null ? null : `${folderWanted} works with files. Which folder are they in?`
            }
            onChange={(next) => {
              field.onChange(next);
              setFolderWanted(null);
            }}
          />
        </div>
      </div>
    </>
  );
}

function ManifestDetails({ loaded }: { readonly loaded: LoadedManifest }) {
  const { manifest, origin, warnings } = loaded;
  return (
    <>
      <span className="picker-head">
        <span className="picker-name">{manifest.name}</span>
        <span className="picker-version">{manifestText(manifest.version)}</span>
        <span className="chip">{originWords(origin)}</span>
        {warnings.length > 0 && (
          <span className="picker-warning">
            <FileWarning size={12} aria-hidden="true" />
            {counted(warnings.length, 'warning')}
          </span>
        )}
      </span>
      <span className="picker-description">{manifestText(manifest.description)}</span>
      <span className="picker-facts">{manifestFacts(loaded).join(' · ')}</span>
    </>
  );
}

/** Where a manifest belongs, to be copied: this is the only way to get one in. */
function NoManifests({ catalog }: { readonly catalog: ManifestCatalog }) {
  const folder = catalog.folders.find(({ origin }) => origin === 'user');
  return (
    <div className="picker-empty">
      <p className="picker-empty-title">No manifest yet</p>
      <p className="picker-empty-text">
        A manifest is a file such as <code>report.clad.toml</code>. It names a program, the commands it takes,
        and which of them a person must approve.
        {folder && (folder.exists ? ' Put one into this folder:' : ' Make this folder and put one into it:')}
      </p>
      {folder && <CopyLine text={folder.path} />}
      <p className="picker-empty-text">
        It shows up here as soon as the file is there. A project may keep its own in <code>tools/</code>.
      </p>
    </div>
  );
}
