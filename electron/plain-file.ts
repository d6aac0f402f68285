import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';

/**
 * Throws, in words, when `path` names something that must not be read or written as a file of at most `maxBytes`: a pipe or
 * a device would stop or fill this process, and a link to nothing may lead to a file again. That there is nothing is fine.
 */
export function requirePlainFile(path: string, maxBytes: number): void {
  const stats: Stats | undefined = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) requirePlain(stats, maxBytes);
  else if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error('it is a link to a file that is not there');
}

/**
 * What is in a file of at most `maxBytes`. Throws, in words, where there is none or it is something else; never waits for one,
 * whatever takes its place meanwhile.
 */
export function readPlainFile(path: string, maxBytes: number): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    requirePlain(fstatSync(descriptor), maxBytes);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function requirePlain(stats: Stats, maxBytes: number): void {
  if (!stats.isFile()) throw new Error('it is not a regular file');
  if (stats.size > maxBytes) throw new Error(`it must have at most ${maxBytes} bytes, has ${stats.size}`);
}
