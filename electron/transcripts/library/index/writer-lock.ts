import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Disposable, toDisposable } from '../../../../shared/disposable.ts';

/**
 * Held by the one host that writes the index; null when another has it. An empty database that is locked: the system lets
 * go of it when its process dies, however that happens.
 */
export function takeWriterLock(folder: string): Disposable | null {
  const database = new DatabaseSync(join(folder, 'index.lock'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return toDisposable(() => database.close());
  } catch {
    database.close();
    return null;
  }
}
