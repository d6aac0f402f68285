import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROFILE = 'resources/apparmor/bwrap-userns-restrict';

/**
 * Where the AppArmor profile lies: beside a packaged app, or in a folder above this file, bundled or not. A relative
 * path when neither has it.
 */
export function apparmorProfilePath(): string {
  const packaged = (process as { resourcesPath?: string }).resourcesPath;
  const candidates = packaged ? [join(packaged, 'apparmor/bwrap-userns-restrict')] : [];
  for (
    let folder = dirname(fileURLToPath(import.meta.url));
    folder !== dirname(folder);
    folder = dirname(folder)
  ) {
    candidates.push(join(folder, PROFILE));
  }
  return candidates.find((path) => existsSync(path)) ?? PROFILE;
}
