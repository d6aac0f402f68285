import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { FILE_GRANTS } from '../../shared/governed/limits.ts';
import type { FileDescriptor } from '../../shared/governed/receipt.ts';
import { shown } from '../governed/manifest/text.ts';
import { FileError, type FileGrants, type FilePlan, type Staging } from '../governed/ports.ts';
import { outsideCeilings } from './file-errors.ts';
import { type Filesystem, type GrantPaths, grantPaths } from './grant-paths.ts';
import { HeldFolder, type Visit } from './held-folder.ts';
import { openPlain, type SourceTexts } from './plain-source.ts';
import type { PublicationStore } from './publication-store.ts';
import { chunksOf } from './published-file.ts';
import { sha256 } from './sha256.ts';
import { type InputSnapshot, type OutputPlace, StagedFiles } from './staged-files.ts';
import { StagingPool } from './staging-pool.ts';

const INPUT: SourceTexts = {
  rule: 'F3',
  cannotOpen: 'cannot open declared input',
  notPlain: 'input must be a bounded regular file without hard links',
  changed: 'declared input changed while it was read',
};

/** F1–F5: what a call's `[filesystem]` grants, checked and read once. */
export class CheckedFileGrants implements FileGrants {
  readonly #store: PublicationStore;
  readonly #pool = new StagingPool();

  constructor(store: PublicationStore) {
    this.#store = store;
  }

  async prepare(
    filesystem: Filesystem,
    args: Readonly<Record<string, string>>,
    root: string,
  ): Promise<FilePlan> {
    requireLinux();
    const paths = grantPaths(filesystem, args);
    const visit = this.#store.refuseDataDir;
    const ceiling = await openCeiling(root, visit);
    try {
      const inputs = await readInputs(ceiling, paths, visit);
      const output = paths.create === null ? null : await holdOutput(ceiling, paths.create, visit);
      return new CheckedFilePlan(this.#store, this.#pool, paths, inputs, output);
    } finally {
      ceiling.close();
    }
  }
}

class CheckedFilePlan implements FilePlan {
  readonly descriptor: FileDescriptor;
  readonly #store: PublicationStore;
  readonly #pool: StagingPool;
  readonly #paths: GrantPaths;
  readonly #inputs: readonly InputSnapshot[];
  readonly #output: OutputPlace | null;

  constructor(
    store: PublicationStore,
    pool: StagingPool,
    paths: GrantPaths,
    inputs: readonly InputSnapshot[],
    output: OutputPlace | null,
  ) {
    this.#store = store;
    this.#pool = pool;
    this.#paths = paths;
    this.#inputs = inputs;
    this.#output = output;
    this.descriptor = {
      read: inputs.map(({ path, bytes }) => ({ path, bytes: bytes.length, sha256: sha256(bytes) })),
      create: output === null ? [] : [output.path],
      max_file_bytes: paths.maxFileBytes,
      input_snapshots: true,
      overwrite: false,
      output_parent_identity: output === null ? null : [...output.folder.identity],
    };
  }

  async stage(): Promise<Staging> {
    const { maxFileBytes } = this.#paths;
    const inputBytes = this.#inputs.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const release = this.#pool.reserve(inputBytes + (this.#output === null ? 0 : maxFileBytes));
    try {
      const output =
        this.#output === null ? null : { ...this.#output, folder: await this.#output.folder.again() };
      return await StagedFiles.create(this.#store, this.#inputs, output, maxFileBytes, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  close(): void {
    this.#output?.folder.close();
  }
}

function requireLinux(): void {
  if (process.platform !== 'linux') throw new FileError('F3', 'file grants are available on Linux only');
}

async function openCeiling(root: string, visit: Visit): Promise<HeldFolder> {
  try {
    return await HeldFolder.openNamed(root, visit);
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw outsideCeilings();
  }
}

async function readInputs(ceiling: HeldFolder, { read, maxFileBytes }: GrantPaths, visit: Visit) {
  const inputs: InputSnapshot[] = [];
  let left: number = FILE_GRANTS.inputsTotalMaxBytes;
  for (const path of read) {
    const bytes = await readInput(ceiling, path, maxFileBytes, left, visit).catch((error: unknown) => {
      if (error instanceof FileError && error.rule === 'F3')
        throw new FileError('F3', `${error.message}: ${shown(path)}`);
      throw error;
    });
    left -= bytes.length;
    inputs.push({ path, bytes });
  }
  return inputs;
}

/** F3: every component without following a link, the file by one descriptor. `left`: bytes of the budget. */
async function readInput(ceiling: HeldFolder, path: string, maxBytes: number, left: number, visit: Visit) {
  const folder = await openBelow(ceiling, path, visit, INPUT.cannotOpen);
  try {
    const source = await openPlain(folder, nameOf(path), maxBytes, INPUT);
    try {
      if (source.size > left) throw new FileError('F3', 'filesystem input snapshot exceeds its byte budget');
      const bytes = Buffer.alloc(source.size);
      let at = 0;
      for await (const chunk of chunksOf(source.handle, source.size)) at += chunk.copy(bytes, at);
      await source.requireUnchanged();
      return bytes;
    } finally {
      await source.handle.close();
    }
  } finally {
    folder.close();
  }
}

/** F4: the folder exists and is held; the target is absent, also as a link that leads nowhere. */
async function holdOutput(ceiling: HeldFolder, path: string, visit: Visit): Promise<OutputPlace> {
  const folder = await openBelow(
    ceiling,
    path,
    visit,
    'cannot open the parent directory of the declared output',
  );
  try {
    if ((await folder.look(nameOf(path))) !== null)
      throw new FileError('F4', 'filesystem output already exists; overwriting is forbidden');
    await access(folder.at('.'), constants.W_OK | constants.X_OK).catch(() => {
      throw new FileError('F2', 'filesystem creation requires a writable mount ceiling');
    });
    return { path, name: nameOf(path), folder };
  } catch (error) {
    folder.close();
    throw error;
  }
}

async function openBelow(ceiling: HeldFolder, path: string, visit: Visit, text: string): Promise<HeldFolder> {
  try {
    return await ceiling.descend(path.split('/').slice(0, -1), visit);
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(text === INPUT.cannotOpen ? 'F3' : 'F4', text);
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
