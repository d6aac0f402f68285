import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasHost, makeProcessFolder, removeLeftFolders } from '../../process-folder.ts';

const PREFIX = 'build-';

/** Milliseconds after which a folder that names no process is certainly of no build any more. */
const OLD_MS = 24 * 60 * 60 * 1_000;

/** An empty folder below `parent` for one build of this process. Removes what builds left that were killed. */
export async function makeWorkFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeLeftFolders(parent, PREFIX);
  await removeOld(parent);
  return makeProcessFolder(parent, PREFIX);
}

/** Of versions that did not say whose a folder is. */
async function removeOld(parent: string): Promise<void> {
  const names = await readdir(parent);
  for (const name of names.filter((each) => each.startsWith(PREFIX) && !hasHost(names, each))) {
    const path = join(parent, name);
    if (Date.now() - (await stat(path)).mtimeMs > OLD_MS) await rm(path, { recursive: true, force: true });
  }
}
