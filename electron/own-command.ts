import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * One of Airlock's own commands, as a person types it: by npm from a checkout, where nothing puts `airlock` on the PATH; by its
 * name elsewhere.
 */
export function ownCommand(words: string): string {
  return isCheckout(import.meta.dirname) ? `npm run airlock -- ${words}` : `airlock ${words}`;
}

/** Whether `folder`, or one above it, has what `npm run airlock` starts; a package has not. */
export function isCheckout(folder: string): boolean {
  if (existsSync(join(folder, 'scripts', 'airlock.ts'))) return true;
  const above = dirname(folder);
  return above !== folder && isCheckout(above);
}
