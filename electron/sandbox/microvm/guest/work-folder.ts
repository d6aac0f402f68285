import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { identify } from '../../process-identity.ts';

const PREFIX = 'build-';

/**
 * An empty folder below `parent` for one build of this process. Removes what builds left that were killed: a folder is named
 * after its process.
 */
export async function makeWorkFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent))
    if (name.startsWith(PREFIX) && !isInUse(name))
      await rm(join(parent, name), { recursive: true, force: true });
  const startTime = identify(process.pid)?.startTime;
  return mkdtemp(join(parent, `${PREFIX}${process.pid}-${startTime}-`));
}

function isInUse(name: string): boolean {
  const [pid, startTime] = name.slice(PREFIX.length).split('-');
  return identify(Number(pid))?.startTime === startTime;
}
