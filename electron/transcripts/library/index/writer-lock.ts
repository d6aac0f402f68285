import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Disposable, toDisposable } from '../../../../shared/disposable.ts';

/**
 * Held by the one host that writes the index; null when another has it. An empty database that is locked: the system lets
 * go of it when its process dies, however that happens.
 */
export function takeWriterLock(folder: string): Disposable | null {
  const path = join(folder, 'index.lock');
  // Only a file can be locked.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) rmSync(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return toDisposable(() => database.close());
  } catch {
    database.close();
    return null;
  }
}
