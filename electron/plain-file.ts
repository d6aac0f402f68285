import { type Stats, statSync } from 'node:fs';

/**
 * Throws, in words, when `path` names something that must not be read or written as a file of at most `maxBytes`: a pipe or
 * a device would stop or fill this process. That there is nothing is fine.
 */
export function requirePlainFile(path: string, maxBytes: number): void {
  const stats: Stats | undefined = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isFile()) throw new Error('it is not a regular file');
  if (stats.size > maxBytes) throw new Error(`it must have at most ${maxBytes} bytes, has ${stats.size}`);
}
