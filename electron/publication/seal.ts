import { constants } from 'node:fs';
import { chmod, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../governed/ports.ts';
import type { OutFolder } from '../sandbox/engine.ts';
import type { DataFolders } from './data-folders.ts';
import { asFileError } from './file-errors.ts';
import { HeldFolder } from './held-folder.ts';
import { copyHashed, openPlain, type SourceTexts } from './plain-source.ts';
import { type FileFacts, hashHandle } from './published-file.ts';

/** A sealed file is never written again. */
const SEALED_MODE = 0o400;

const WORKER_OUTPUT: SourceTexts = {
  rule: 'F7',
  cannotOpen: 'invalid or oversized worker output',
  notPlain: 'invalid or oversized worker output',
  changed: 'worker output exceeds the file budget',
};

const SHELL_FILE: SourceTexts = {
  rule: 'F7',
  cannotOpen: 'cannot open the file in /out: it is not there, or a link leads to it',
  closed:
    'the permissions of the file in /out let only a user of the sandbox read it; in the shell: chmod a+r',
  notPlain: 'only a regular file without hard links, of at most 1 GiB, can be published',
  changed: 'the file changed while it was sealed; stop what writes it and try again',
};

export function sealedPath(folders: DataFolders, id: string): string {
  return join(folders.sealed, id);
}

/**
 * F7: takes the output of a worker that is gone. It moves, so nothing is copied. Rejects with FileError: what F7 refuses is
 * removed, and what only cannot be read now stays, since it is the only copy.
 */
export async function sealOutput(
  folders: DataFolders,
  id: string,
  output: { readonly folder: string; readonly name: string },
  maxBytes: number,
): Promise<FileFacts> {
  await checkOnly(output.folder, output.name, maxBytes);
  const path = sealedPath(folders, id);
  await rename(join(output.folder, output.name), path);
  try {
    await chmod(path, SEALED_MODE);
    return await hashSealed(folders.sealed, id, maxBytes);
  } catch (error) {
    if (error instanceof FileError) await rm(path, { force: true });
    const words = `the output cannot be sealed and is kept as ${path}`;
    throw asFileError(error, WORKER_OUTPUT.rule, words, 'kept');
  }
}

/** The log will say that the file is kept: it is on the disk by then. Rejects with FileError. */
export async function syncSealed(folders: DataFolders, id: string): Promise<void> {
  try {
    const file = await open(sealedPath(folders, id), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await syncFolder(folders.sealed);
  } catch (error) {
    throw asFileError(error, WORKER_OUTPUT.rule, 'the output cannot be sealed');
  }
}

async function checkOnly(path: string, name: string, maxBytes: number): Promise<void> {
  const folder = await HeldFolder.open(path);
  try {
    const source = await openPlain(folder, name, maxBytes, WORKER_OUTPUT);
    await source.handle.close();
  } finally {
    folder.close();
  }
}

async function hashSealed(path: string, name: string, maxBytes: number): Promise<FileFacts> {
  const folder = await HeldFolder.open(path);
  try {
    const source = await openPlain(folder, name, maxBytes, WORKER_OUTPUT);
    try {
      const facts = await hashHandle(source.handle, maxBytes);
      await source.requireUnchanged();
      return facts;
    } finally {
      await source.handle.close();
    }
  } finally {
    folder.close();
  }
}

/**
 * Copies one file that a shell may still write, from one descriptor: what was copied is what was hashed. No component
 * below `out` is a link. Rejects with FileError.
 */
export async function sealShellFile(
  folders: DataFolders,
  id: string,
  out: OutFolder,
  path: string,
  maxBytes: number,
): Promise<FileFacts> {
  const parts = shellPathParts(path);
  const folder = await openParent(out, parts);
  // In the folder that every start empties: a crash leaves no half of a sealed file.
  const copy = join(folders.staging, `${id}.copy`);
  try {
    const source = await openPlain(folder, parts.at(-1) ?? '', maxBytes, SHELL_FILE);
    try {
      const facts = await copyTo(copy, (target) => copyHashed(source, target));
      await source.requireUnchanged();
      await rename(copy, sealedPath(folders, id));
      await syncFolder(folders.sealed);
      return facts;
    } finally {
      await source.handle.close();
    }
  } catch (error) {
    throw asFileError(error, SHELL_FILE.rule, 'the file cannot be sealed');
  } finally {
    folder.close();
    await rm(copy, { force: true });
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await HeldFolder.open(path);
  try {
    await folder.sync();
  } finally {
    folder.close();
  }
}

async function copyTo(
  path: string,
  fill: (target: Awaited<ReturnType<typeof open>>) => Promise<FileFacts>,
): Promise<FileFacts> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const target = await open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600);
  try {
    const facts = await fill(target);
    await target.chmod(SEALED_MODE);
    await target.sync();
    return facts;
  } finally {
    await target.close();
  }
}

async function openParent(place: OutFolder, parts: readonly string[]): Promise<HeldFolder> {
  try {
    const out = await HeldFolder.openOut(place);
    try {
      return await out.descend(parts.slice(0, -1));
    } finally {
      out.close();
    }
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(SHELL_FILE.rule, SHELL_FILE.cannotOpen);
  }
}

const PATH_MAX_BYTES = 4096;

function shellPathParts(path: string): string[] {
  const parts = path.split('/');
  const strange =
    Buffer.byteLength(path) > PATH_MAX_BYTES ||
    path.includes('\0') ||
    parts.some((part) => part === '' || part === '.' || part === '..');
  if (strange) throw new FileError('F1', 'filesystem grants require normalized relative file paths');
  return parts;
}
