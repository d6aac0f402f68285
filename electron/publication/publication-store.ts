import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Disposable } from '../../shared/disposable.ts';
import { SHELL_PUBLICATION_MAX_BYTES } from '../../shared/governed/limits.ts';
import type { Publication, Receipt } from '../../shared/governed/receipt.ts';
import { FileError, type PublicationAuthority, ruleOfRefusal } from '../governed/ports.ts';
import type { OutFolder } from '../sandbox/engine.ts';
import { type DataFolders, makeDataFolders } from './data-folders.ts';
import { removeLeftover } from './examine-intent.ts';
import { outsideCeilings } from './file-errors.ts';
import { CANDIDATE_PREFIX, requireFileName } from './grant-paths.ts';
import { HeldFolder, sameIdentity, type Visit } from './held-folder.ts';
import { type PublicationAudit, type PublicationItem, PublicationLedger } from './publication-ledger.ts';
import type { PublicationData } from './publication-records.ts';
import { type OnStep, type PublishTarget, publishFile, UnconfirmedPublication } from './publish-file.ts';
import { type FileFacts, whyNotPublished } from './published-file.ts';
import { type PublicationRecovery, recoverPublications } from './recover-publications.ts';
import { sealedPath, sealOutput, sealShellFile, syncSealed } from './seal.ts';

/** A private copy that waits for a decision; `kept` is where it is. */
export interface SealedFile extends FileFacts {
  readonly id: string;
  readonly sessionId: string;
  /** Below /out. */
  readonly path: string;
  readonly kept: string;
  readonly sealedAt: string;
}

type Seal = PublicationData<'publication.sealed'>;

interface ShellFile {
  readonly sessionId: string;
  readonly outFolder: OutFolder;
  /** Below /out. */
  readonly path: string;
}

/** The output of a worker that is gone: `path` as granted. */
export interface WorkerOutput {
  readonly folder: string;
  readonly name: string;
  readonly path: string;
  readonly maxBytes: number;
}

export interface PublicationStoreOptions {
  readonly dataDir: string;
  /** Whoever may write it owns the data folder's staged and sealed files. */
  readonly audit: PublicationAudit;
  readonly onStep?: OnStep;
}

/**
 * Everything that leaves a sandbox goes through here: seals, publishes, keeps what could not be published, and lists
 * receipts and failures. One for a data folder.
 */
export class PublicationStore {
  readonly folders: DataFolders;
  /** What an earlier run left. */
  readonly recovery: PublicationRecovery;
  /** Ends a walk that enters the data folder: its keys and logs are no session's business. */
  readonly refuseDataDir: Visit;
  readonly #ledger: PublicationLedger;
  readonly #onStep: OnStep;
  /** Publications that an attempt is under way for. */
  readonly #busy = new Set<string>();
  readonly #steps = new Set<Promise<unknown>>();
  #closing = false;

  private constructor(
    folders: DataFolders,
    ledger: PublicationLedger,
    recovery: PublicationRecovery,
    refuseDataDir: Visit,
    onStep: OnStep,
  ) {
    this.folders = folders;
    this.recovery = recovery;
    this.refuseDataDir = refuseDataDir;
    this.#ledger = ledger;
    this.#onStep = onStep;
  }

  /** Reads the audit log and settles what an earlier run left. Rejects with AuditError. */
  static async open({ dataDir, audit, onStep }: PublicationStoreOptions): Promise<PublicationStore> {
    const folders = await makeDataFolders(dataDir);
    const ledger = await PublicationLedger.read(audit);
    const recovery = await recoverPublications(ledger, audit, folders);
    return new PublicationStore(folders, ledger, recovery, await visitOutside(dataDir), onStep ?? (() => {}));
  }

  /** Receipts and failures, the latest first. */
  list(): Publication[] {
    return this.#ledger.list();
  }

  onChange(listener: () => void): Disposable {
    return this.#ledger.onChange(listener);
  }

  /** Null when the published file is what its receipt says, or the kept file what was sealed; or else why not. */
  async verify(id: string): Promise<string | null> {
    const item = this.#ledger.get(id);
    if (item?.state.kind === 'published')
      return whyNotPublished(item.state.receipt.destination, item.state.receipt);
    if (item?.state.kind === 'failed') return whyNotPublished(item.sealed.kept, item.sealed);
    return 'there is no such publication';
  }

  /**
   * Begins nothing more; resolves when what is under way has come to its end and that is in the log, which must not be
   * closed before.
   */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.allSettled(this.#steps);
  }

  /** Seals and publishes a worker's output (F7–F10). Rejects with FileError that says what became of it. */
  publishOutput(
    output: WorkerOutput,
    target: PublishTarget,
    authority: PublicationAuthority,
  ): Promise<Receipt> {
    const id = randomUUID();
    return this.#step(() => this.#publishOutput(id, output, target, authority)).catch((error) => {
      if (!(error instanceof FileError)) throw error;
      throw new FileError(error.rule, error.message, error.file ?? this.#fateOf(id));
    });
  }

  #fateOf(id: string): FileError['file'] {
    const item = this.#ledger.get(id);
    if (item === null) return 'gone';
    return item.state.kind === 'failed' && item.state.recovery === 'published' ? 'published' : 'kept';
  }

  async #publishOutput(
    id: string,
    output: WorkerOutput,
    target: PublishTarget,
    authority: PublicationAuthority,
  ): Promise<Receipt> {
    const facts = await sealOutput(this.folders, id, output, output.maxBytes);
    const destination = join(target.folder.path, target.name);
    const { sessionId, command } = authority;
    const attempt = newAttempt(destination);
    const seal = this.#sealOf(id, { command, path: output.path, attempt, facts });
    // The worker is gone: this is the only copy, recorded and kept whether it is surely on the disk or not.
    const unsynced = await syncSealed(this.folders, id).then(
      () => null,
      (error: FileError) => error,
    );
    await this.#recordSeal(sessionId, seal).catch(async (error: FileError) => {
      const first = unsynced ?? error;
      await this.#ledger.keepUnrecorded(sessionId, seal, first.message);
      throw first;
    });
    if (unsynced !== null) {
      await this.#ledger.recordFailure(id, unsynced.message);
      throw unsynced;
    }
    return this.#exclusively(id, () => this.#attempt(id, target, authority));
  }

  /**
   * Seals one file of a shell's /out, so that the approval can show size and SHA-256. Rejects with FileError.
   */
  sealFromShell(file: ShellFile): Promise<SealedFile> {
    return this.#step(() => this.#sealFromShell(file));
  }

  async #sealFromShell({ sessionId, outFolder, path }: ShellFile): Promise<SealedFile> {
    const id = randomUUID();
    const facts = await sealShellFile(this.folders, id, outFolder, path, SHELL_PUBLICATION_MAX_BYTES);
    const seal = this.#sealOf(id, { command: null, path, attempt: null, facts });
    const { kept, sealed_at: sealedAt } = seal;
    await this.#recordSeal(sessionId, seal).catch(async (error: FileError) => {
      await rm(kept, { force: true });
      throw error;
    });
    return { id, sessionId, path, kept, sealedAt, ...facts };
  }

  /**
   * Throws FileError when nothing could be published at `destination`, before anyone is asked. Says nothing of what
   * happens to it later.
   */
  async checkDestination(destination: string): Promise<void> {
    const { folder, name } = await this.#hold(destination);
    try {
      if ((await folder.look(name)) !== null)
        throw new FileError('F4', 'filesystem output already exists; overwriting is forbidden');
    } finally {
      folder.close();
    }
  }

  /** `destination`: absolute path of the new file, as it was approved. Rejects with FileError; the sealed file is kept. */
  publishSealed(sealed: SealedFile, destination: string, authority: PublicationAuthority): Promise<Receipt> {
    return this.#start(sealed.id, destination, authority);
  }

  /** Publishes the kept file of a failure at another absolute path. Rejects with FileError. */
  retry(id: string, destination: string, authority: PublicationAuthority): Promise<Receipt> {
    return this.#start(id, destination, authority);
  }

  /** Removes a sealed file that was denied. One of which the log cannot say so is kept, and listed as a failure. */
  async discardSealed({ id, sessionId, kept }: SealedFile, reason: string): Promise<void> {
    await this.#exclusively(id, async () => {
      const recorded = await this.#ledger
        .record('publication.discarded', sessionId, { publication_id: id, reason })
        .then(
          () => true,
          () => false,
        );
      if (recorded) await rm(kept, { force: true });
      else await this.#ledger.recordFailure(id, reason);
    });
  }

  #start(id: string, destination: string, authority: PublicationAuthority): Promise<Receipt> {
    return this.#step(() => this.#publishKept(id, destination, authority));
  }

  async #publishKept(id: string, destination: string, authority: PublicationAuthority): Promise<Receipt> {
    return this.#exclusively(id, async () => {
      const before = this.#waiting(id);
      const target = await this.#hold(destination).catch(async (error: FileError) => {
        // A failure stays as it is listed; a file that nobody has seen yet becomes one.
        if (before.state.kind === 'sealed') await this.#refuse(before, destination, error);
        throw error;
      });
      try {
        await this.#recordStart(before, destination);
        const receipt = await this.#attempt(id, target, authority);
        for (const intent of this.#ledger.get(id)?.leftovers ?? []) await removeLeftover(intent);
        return receipt;
      } finally {
        target.folder.close();
      }
    });
  }

  async #refuse(item: PublicationItem, destination: string, { message }: FileError): Promise<void> {
    await this.#recordStart(item, destination).catch(() => {});
    await this.#ledger.recordFailure(item.sealed.publication_id, message);
  }

  async #recordStart({ sessionId, sealed, state }: PublicationItem, destination: string): Promise<void> {
    const { publication_id } = sealed;
    const attempt = newAttempt(destination);
    await this.#ledger
      .record('publication.started', sessionId, { publication_id, attempt })
      .catch(async () => {
        const error = unaudited();
        if (state.kind === 'sealed') await this.#ledger.recordFailure(publication_id, error.message);
        throw error;
      });
  }

  async #attempt(id: string, target: PublishTarget, authority: PublicationAuthority): Promise<Receipt> {
    const item = this.#ledger.get(id);
    if (item === null) throw new FileError('X42', 'missing terminal file staging');
    try {
      const decided = await decide(item, authority);
      const receipt = await publishFile(this.#ledger, item, target, decided, this.#onStep);
      await rm(item.sealed.kept, { force: true });
      return receipt;
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof UnconfirmedPublication) await this.#ledger.recordUnconfirmed(id, message);
      else await this.#ledger.recordFailure(id, message);
      throw error;
    }
  }

  /** Everything that ends in the log. */
  async #step<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new FileError('X2', 'effect journal authority is closed or expired');
    const step = work();
    this.#steps.add(step);
    try {
      return await step;
    } finally {
      this.#steps.delete(step);
    }
  }

  async #exclusively<T>(id: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy.has(id))
      throw new FileError('F9', 'filesystem output publication failed: it is under way');
    this.#busy.add(id);
    try {
      return await work();
    } finally {
      this.#busy.delete(id);
    }
  }

  #sealOf(
    id: string,
    { facts, ...file }: Pick<Seal, 'command' | 'path' | 'attempt'> & { facts: FileFacts },
  ): Seal {
    const kept = sealedPath(this.folders, id);
    return { publication_id: id, ...file, ...facts, kept, sealed_at: new Date().toISOString() };
  }

  async #recordSeal(sessionId: string, seal: Seal): Promise<void> {
    await this.#onStep('sealed');
    await this.#ledger.record('publication.sealed', sessionId, seal).catch(() => {
      throw unaudited();
    });
    await this.#onStep('seal-recorded');
  }

  /** A publication whose sealed file is kept, and that no crash interrupted after it was published. */
  #waiting(id: string): PublicationItem {
    const item = this.#ledger.get(id);
    const waits =
      item?.state.kind === 'sealed' || (item?.state.kind === 'failed' && item.state.recovery !== 'published');
    if (item === null || !waits)
      throw new FileError('F10', 'there is no sealed file of this publication to publish');
    return item;
  }

  async #hold(destination: string): Promise<PublishTarget & { folder: HeldFolder }> {
    if (resolve(destination) !== destination) throw outsideCeilings();
    const name = basename(destination);
    requireFileName(name);
    try {
      return { name, folder: await HeldFolder.openNamed(dirname(destination), this.refuseDataDir) };
    } catch (error) {
      if (error instanceof FileError) throw error;
      throw new FileError('F4', 'cannot open the parent directory of the declared output');
    }
  }
}

/** With a second look where one is wanted (DESIGN 7). */
async function decide(
  { sealed, attempt }: PublicationItem,
  authority: PublicationAuthority,
): Promise<PublicationAuthority> {
  if (authority.secondLook === undefined) return authority;
  const { path, bytes, sha256 } = sealed;
  const second = await authority.secondLook({ path, bytes, sha256, destination: attempt?.destination ?? '' });
  if (second.outcome !== 'approved') throw new FileError(ruleOfRefusal(second.outcome), second.text);
  const { approver, approvalId } = second;
  return { ...authority, approver, approvalId, stillHolds: () => authority.stillHolds() };
}

function newAttempt(destination: string): NonNullable<PublicationItem['attempt']> {
  return { destination, candidate_name: `${CANDIDATE_PREFIX}${randomUUID()}` };
}

function unaudited(): FileError {
  return new FileError('X2', 'file publication requires an active audited dispatcher');
}

async function visitOutside(dataDir: string): Promise<Visit> {
  const folder = await HeldFolder.openNamed(dataDir);
  folder.close();
  return ({ identity }) => {
    if (sameIdentity(identity, folder.identity)) throw outsideCeilings();
  };
}
