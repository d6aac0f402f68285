import { constants, type Stats } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import { OUT_FILES_LISTED_MAX, SHELL_PUBLICATION_MAX_BYTES } from '../../shared/governed/limits.ts';
import type { OutFile } from '../../shared/governed/verification.ts';
import type { OutFolder } from '../sandbox/engine.ts';
import { HeldFolder } from './held-folder.ts';

/** Folders below /out that are looked into, and how deep. */
const FOLDERS_MAX = 200;
const DEPTH_MAX = 16;

/**
 * The files below a shell's /out, by name. No link is followed, whatever the sandbox does meanwhile; what vanishes while
 * it is looked at is left out. `more` counts files that were found and left out; folders beyond the bounds are not looked
 * into. Rejects where /out itself is gone.
 */
export async function listOutFiles(place: OutFolder): Promise<{ files: OutFile[]; more: number }> {
  const files: OutFile[] = [];
  let more = 0;
  let folders = 0;
  const look = async (folder: HeldFolder, path: readonly string[]): Promise<void> => {
    folders += 1;
    const entries = await readdir(folder.at('.'), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = [...path, entry.name];
      if (entry.isDirectory() && folders < FOLDERS_MAX && below.length < DEPTH_MAX) {
        await enter(folder, entry.name, (inner) => look(inner, below));
      } else if (!entry.isDirectory()) {
        const file = await outFileOf(folder, entry.name, below.join('/')).catch(() => null);
        if (file !== null && files.length < OUT_FILES_LISTED_MAX) files.push(file);
        else if (file !== null) more += 1;
      }
    }
  };
  const out = await HeldFolder.openOut(place);
  try {
    await look(out, []);
  } finally {
    out.close();
  }
  return { files, more };
}

async function enter(
  folder: HeldFolder,
  name: string,
  look: (inner: HeldFolder) => Promise<void>,
): Promise<void> {
  const inner = await folder.descend([name]).catch(() => null);
  if (inner === null) return;
  try {
    await look(inner);
  } finally {
    inner.close();
  }
}

async function outFileOf(folder: HeldFolder, name: string, path: string): Promise<OutFile> {
  const stats = await lstat(folder.at(name));
  const refused = refusalOf(stats) ?? ((await isClosed(folder, name)) ? CLOSED : null);
  return { path, bytes: stats.size, modifiedAt: stats.mtime.toISOString(), refused };
}

/** A user of the sandbox can be another one on this machine, whose files are closed to whoever runs Airlock. */
const CLOSED = 'Its permissions let only a user of the sandbox read it. In the shell: chmod a+r';

async function isClosed(folder: HeldFolder, name: string): Promise<boolean> {
  return access(folder.at(name), constants.R_OK).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'EACCES',
  );
}

function refusalOf(stats: Stats): string | null {
  if (stats.isSymbolicLink()) return 'This is a link. Publish the file that it names.';
  if (!stats.isFile()) return 'This is not a plain file.';
  if (stats.nlink !== 1) return 'This file has more than one name. Publish a copy of it.';
  if (stats.size > SHELL_PUBLICATION_MAX_BYTES) return 'This file is too large to publish.';
  return null;
}
