import { chownSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../process-identity.ts';
import { NOBODY } from './process.ts';

const PREFIX = 'airlock-vm-';

/**
 * A private folder for a machine's sockets. Not in the data folder: the path of a Unix socket has at most 107 bytes. As root it
 * belongs to the monitor, which is nobody and makes the sockets there.
 */
export class MachineFolder {
  #path: string;

  constructor() {
    this.#path = mkdtempSync(join(tmpdir(), PREFIX));
    if (process.getuid?.() === 0) chownSync(this.#path, NOBODY, NOBODY);
  }

  get path(): string {
    return this.#path;
  }

  /** So that a later host finds the folder of a process that it has on record. The process itself stays in it. */
  nameAfter(identity: ProcessIdentity): void {
    const named = join(tmpdir(), `${nameFor(identity)}${this.#path.slice(-6)}`);
    renameSync(this.#path, named);
    this.#path = named;
  }

  remove(): void {
    rmSync(this.#path, { recursive: true, force: true });
  }
}

/** Removes what a process that is gone left. */
export function removeFolderOf(identity: ProcessIdentity): void {
  const owners = [process.getuid?.(), process.getuid?.() === 0 ? NOBODY : undefined];
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(nameFor(identity))) continue;
    const path = join(tmpdir(), name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() && owners.includes(stats.uid)) rmSync(path, { recursive: true, force: true });
  }
}

function nameFor({ pid, startTime }: ProcessIdentity): string {
  return `${PREFIX}${pid}-${startTime}-`;
}
