import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Receipt } from '../../shared/governed/receipt.ts';
import { FileError, type PublicationAuthority, type Staging, type WorkerMount } from '../governed/ports.ts';
import { asFileError } from './file-errors.ts';
import type { HeldFolder } from './held-folder.ts';
import type { PublicationStore } from './publication-store.ts';

export interface InputSnapshot {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Where the output is to appear: as granted, and the folder that is held. */
export interface OutputPlace {
  readonly path: string;
  readonly name: string;
  readonly folder: HeldFolder;
}

const OUTPUT = 'output';

/** F6: private copies of the inputs and one empty output file, in a folder that no worker sees. */
export class StagedFiles implements Staging {
  readonly mounts: readonly WorkerMount[];
  readonly #store: PublicationStore;
  readonly #folder: string;
  readonly #output: OutputPlace | null;
  readonly #maxBytes: number;
  readonly #release: () => void;
  #state: 'staged' | 'publishing' | 'gone' = 'staged';

  private constructor(
    store: PublicationStore,
    folder: string,
    mounts: readonly WorkerMount[],
    output: OutputPlace | null,
    maxBytes: number,
    release: () => void,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.mounts = mounts;
    this.#output = output;
    this.#maxBytes = maxBytes;
    this.#release = release;
  }

  /** Owns `output.folder` and `release` when it resolves. */
  static async create(
    store: PublicationStore,
    inputs: readonly InputSnapshot[],
    output: OutputPlace | null,
    maxBytes: number,
    release: () => void,
  ): Promise<StagedFiles> {
    const folder = join(store.folders.staging, randomUUID());
    try {
      await mkdir(folder, { mode: 0o700 });
      const mounts: WorkerMount[] = [];
      for (const [index, { path, bytes }] of inputs.entries()) {
        const source = join(folder, `input-${index}`);
        await createFile(source, bytes, 0o444);
        mounts.push({ source, target: path, access: 'read-only' });
      }
      if (output !== null) {
        const source = join(folder, OUTPUT);
        await createFile(source, new Uint8Array(), 0o666);
        mounts.push({ source, target: output.path, access: 'read-write' });
      }
      return new StagedFiles(store, folder, mounts, output, maxBytes, release);
    } catch (error) {
      output?.folder.close();
      await rm(folder, { recursive: true, force: true });
      throw asFileError(error, 'F6', 'the files of the session cannot be staged');
    }
  }

  async stagedBytes(): Promise<number | null> {
    if (this.#output === null || this.#state !== 'staged') return null;
    return (await lstat(join(this.#folder, OUTPUT))).size;
  }

  async publish(authority: PublicationAuthority): Promise<Receipt> {
    if (this.#output === null || this.#state !== 'staged')
      throw new FileError('X42', 'missing terminal file staging');
    this.#state = 'publishing';
    try {
      return await this.#store.publishOutput(
        { folder: this.#folder, name: OUTPUT, path: this.#output.path, maxBytes: this.#maxBytes },
        { folder: this.#output.folder, name: this.#output.name },
        authority,
      );
    } finally {
      await this.#remove();
    }
  }

  async discard(): Promise<void> {
    // A publication removes what it leaves by itself.
    if (this.#state === 'staged') await this.#remove();
  }

  async #remove(): Promise<void> {
    this.#state = 'gone';
    this.#output?.folder.close();
    await rm(this.#folder, { recursive: true, force: true });
    this.#release();
  }
}

/** The mode is set apart from the creation, which the process's umask narrows. */
async function createFile(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.chmod(mode);
  } finally {
    await handle.close();
  }
}
