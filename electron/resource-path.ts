import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Where a file or folder of `resources/` lies: beside a packaged app, as electron-builder.yml puts it there, or in a folder
 * above this file, bundled or not. Null when neither has it.
 */
export function resourcePath(name: string): string | null {
  const packaged = (process as { resourcesPath?: string }).resourcesPath;
  const candidates = packaged ? [join(packaged, name)] : [];
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder))
    candidates.push(join(folder, 'resources', name));
  return candidates.find((path) => existsSync(path)) ?? null;
}
