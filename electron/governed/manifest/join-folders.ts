import type { LoadedManifest, ManifestCatalog, ManifestProblem } from '../../../shared/governed/manifest.ts';
import type { FolderContents } from './manifest-folder.ts';

/** Whose manifest keeps a name that two have. A person's own file wins over what a project brings along. */
const PRECEDENCE = { user: 0, project: 1, example: 2 } as const;

/**
 * One catalog of several folders. Of manifests with the same `tool.name` the first counts: the user's before a project's, then
 * by file name; each other one is a problem that names both files. An example silently gives way to a manifest that was made
 * from it.
 */
export function joinFolders(contents: readonly FolderContents[]): ManifestCatalog {
  const problems = contents.flatMap((folder) => folder.problems);
  const ordered = contents
    .toSorted((a, b) => PRECEDENCE[a.folder.origin] - PRECEDENCE[b.folder.origin])
    .flatMap((folder) => folder.manifests);
  const manifests: LoadedManifest[] = [];
  for (const candidate of ordered) {
    const holder = manifests.find(({ manifest }) => manifest.name === candidate.manifest.name);
    if (holder === undefined) manifests.push(candidate);
    else if (candidate.origin !== 'example' || holder.origin === 'example') {
      problems.push(duplicate(candidate, holder));
    }
  }
  return {
    manifests,
    problems,
    folders: contents.map(({ folder, exists }) => ({ path: folder.path, origin: folder.origin, exists })),
  };
}

function duplicate(candidate: LoadedManifest, holder: LoadedManifest): ManifestProblem {
  return {
    file: candidate.file,
    line: null,
    key: 'tool.name',
    message: `${candidate.manifest.name} is already the name in ${holder.file}; ${candidate.file} is not used`,
  };
}
