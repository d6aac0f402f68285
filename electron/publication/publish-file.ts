import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Receipt } from '../../shared/governed/receipt.ts';
import { FileError, type PublicationAuthority } from '../governed/ports.ts';
import { asFileError, systemProblem } from './file-errors.ts';
import { type FileIdentity, type HeldFolder, identityOf, sameIdentity } from './held-folder.ts';
import { writeAll } from './plain-source.ts';
import type { PublicationItem, PublicationLedger } from './publication-ledger.ts';
import { chunksOf, hashHandle } from './published-file.ts';

/** The moments of a publication, in order; each names what has just been done. */
export const PUBLICATION_STEPS = [
  'sealed',
  'seal-recorded',
  'candidate-created',
  'candidate-written',
  'prepared',
  'checked',
  'linked',
  'unlinked',
  'synced',
  'finished',
] as const;
export type PublicationStep = (typeof PUBLICATION_STEPS)[number];
/** Awaited at every step; for whoever has to act in between. */
export type OnStep = (step: PublicationStep) => Promise<void> | void;

export interface PublishTarget {
  readonly folder: HeldFolder;
  readonly name: string;
}

export type Authority = Pick<
  PublicationAuthority,
  'approver' | 'approvalId' | 'stillHolds' | 'transcriptPlace'
>;

/**
 * Publishes a sealed file that has an attempt (F8–F10): a private candidate in the destination's folder, the intent in the
 * audit log, every check again, and one atomic step that never replaces anything. Rejects with FileError; nothing has the
 * target's name then, unless the text says that it was published and could not be recorded.
 */
export async function publishFile(
  ledger: PublicationLedger,
  item: PublicationItem,
  target: PublishTarget,
  authority: Authority,
  onStep: OnStep,
): Promise<Receipt> {
  requireAuthority(authority);
  await requireSamePlace(target.folder);
  const candidate = await Candidate.create(item, target);
  try {
    await onStep('candidate-created');
    await candidate.write();
    await onStep('candidate-written');
    await recordIntent(ledger, candidate, authority);
    await onStep('prepared');
    requireAuthority(authority);
    await candidate.requireIntact();
    await requireSamePlace(target.folder);
    await onStep('checked');
    await candidate.link();
  } catch (error) {
    await candidate.remove();
    candidate.close();
    throw asFileError(error, 'F9', FAILED);
  }
  try {
    await onStep('linked');
    return await settle(ledger, candidate, authority, onStep);
  } catch (error) {
    throw new UnconfirmedPublication(asFileError(error, 'F9', FAILED));
  } finally {
    candidate.close();
  }
}

/** The file may have its name: whoever reads this looks, and nothing is tried again (F10). */
export class UnconfirmedPublication extends FileError {
  constructor({ rule, message }: FileError) {
    super(rule, message);
  }
}

/** From here on the file is published: what fails is reported, and nothing is taken back (F10). */
async function settle(
  ledger: PublicationLedger,
  candidate: Candidate,
  authority: Authority,
  onStep: OnStep,
): Promise<Receipt> {
  await candidate.requirePublished();
  await candidate.unlink();
  await onStep('unlinked');
  await candidate.target.folder.sync();
  await requireSamePlace(candidate.target.folder);
  await onStep('synced');
  const receipt = receiptOf(candidate, authority);
  const { publication_id } = candidate.item.sealed;
  await ledger
    .record('publication.finished', candidate.item.sessionId, {
      publication_id,
      confirmed: true,
      error: null,
      receipt,
    })
    .catch((error: Error) => {
      throw new FileError('F10', `${receipt.destination} was published, but not recorded: ${error.message}`);
    });
  await onStep('finished');
  return receipt;
}

/** The file that becomes the published one: ours alone until it is linked. */
class Candidate {
  readonly item: PublicationItem;
  readonly target: PublishTarget;
  readonly name: string;
  readonly identity: FileIdentity;
  readonly #handle: FileHandle;

  private constructor(
    item: PublicationItem,
    target: PublishTarget,
    handle: FileHandle,
    identity: FileIdentity,
  ) {
    this.item = item;
    this.target = target;
    this.name = attemptOf(item).candidate_name;
    this.identity = identity;
    this.#handle = handle;
  }

  static async create(item: PublicationItem, target: PublishTarget): Promise<Candidate> {
    const { O_RDWR, O_CREAT, O_EXCL } = constants;
    try {
      const { candidate_name } = attemptOf(item);
      const handle = await target.folder.openFile(candidate_name, O_RDWR | O_CREAT | O_EXCL, 0o600);
      return new Candidate(item, target, handle, identityOf(await handle.stat({ bigint: true })));
    } catch (error) {
      throw asFileError(error, 'F9', FAILED);
    }
  }

  async write(): Promise<void> {
    const { kept, bytes } = this.item.sealed;
    const sealed = await open(kept, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      // One byte more than it should have: a sealed file that grew is noticed by the check that follows.
      for await (const chunk of chunksOf(sealed, bytes + 1)) await writeAll(this.#handle, chunk);
    } finally {
      await sealed.close();
    }
    await this.#handle.chmod(0o600);
    await this.#handle.sync();
  }

  /** F9: what will get the name is the file that was hashed, and nobody else has a name for it. */
  async requireIntact(): Promise<void> {
    const { bytes, sha256 } = this.item.sealed;
    const stats = await this.#handle.stat({ bigint: true });
    const there = await this.target.folder.look(this.name);
    const facts = await hashHandle(this.#handle, bytes);
    const intact =
      there !== null &&
      sameIdentity(there.identity, this.identity) &&
      stats.nlink === 1n &&
      facts.bytes === bytes &&
      facts.sha256 === sha256;
    if (!intact) throw publicationFailed('the private candidate was changed by another process');
  }

  async link(): Promise<void> {
    await this.target.folder.link(this.name, this.target.name).catch((error) => {
      throw publicationFailed(linkProblem((error as NodeJS.ErrnoException).code));
    });
  }

  /** The name leads to the file that was checked, not to one that was put in its place in between. */
  async requirePublished(): Promise<void> {
    const there = await this.target.folder.look(this.target.name);
    if (there === null || !sameIdentity(there.identity, this.identity))
      throw publicationFailed('another process changed the file while it was published');
  }

  unlink(): Promise<void> {
    return this.target.folder.unlink(this.name);
  }

  /** After a failure: the sealed file is what is kept. Never touches a file that is not ours. */
  async remove(): Promise<void> {
    const there = await this.target.folder.look(this.name).catch(() => null);
    if (there === null || !sameIdentity(there.identity, this.identity)) return;
    await this.unlink().catch(() => {});
  }

  close(): void {
    this.#handle.close().catch(() => {});
  }
}

async function recordIntent(
  ledger: PublicationLedger,
  { item, target, name, identity }: Candidate,
  { approver, approvalId }: Authority,
): Promise<void> {
  const { publication_id, path, bytes, sha256 } = item.sealed;
  await ledger
    .record('publication.prepared', item.sessionId, {
      publication_id,
      path,
      parent_path: target.folder.path,
      parent_identity: [...target.folder.identity],
      candidate_name: name,
      candidate_identity: [...identity],
      target_name: target.name,
      bytes,
      sha256,
      approver,
      approval_id: approvalId,
    })
    .catch(() => {
      throw new FileError('X2', 'file publication requires an active audited dispatcher');
    });
}

function receiptOf(
  { item, target }: Candidate,
  { approver, approvalId, transcriptPlace }: Authority,
): Receipt {
  const { publication_id, command, path, bytes, sha256, sealed_at } = item.sealed;
  return {
    id: publication_id,
    sessionId: item.sessionId,
    command,
    path,
    destination: join(target.folder.path, target.name),
    bytes,
    sha256,
    approver,
    approvalId,
    sealedAt: sealed_at,
    publishedAt: new Date().toISOString(),
    transcript: transcriptPlace?.() ?? null,
  };
}

function attemptOf({ attempt }: PublicationItem): NonNullable<PublicationItem['attempt']> {
  if (attempt === null) throw new Error('A publication without a destination was started.');
  return attempt;
}

function requireAuthority(authority: Authority): void {
  if (!authority.stillHolds()) throw new FileError('X2', 'effect journal authority is closed or expired');
}

/** F8: the path that was shown and approved must still lead to the folder that is held. */
async function requireSamePlace(folder: HeldFolder): Promise<void> {
  if (await folder.isStillAtItsPath()) return;
  throw new FileError('F8', 'output parent pathname changed; publication requires reconciliation');
}

/** Why link(2) refused, in words. Where there is no atomic step that never replaces, nothing is published (B25). */
export function linkProblem(code: string | undefined): string {
  if (code === 'EEXIST') return 'the target already exists';
  if (
    code === 'EPERM' ||
    code === 'EOPNOTSUPP' ||
    code === 'ENOTSUP' ||
    code === 'ENOSYS' ||
    code === 'EMLINK'
  )
    return 'this file system has no atomic step that never replaces a file';
  return systemProblem(code);
}

const FAILED = 'filesystem output publication failed';

function publicationFailed(why: string): FileError {
  return new FileError('F9', `${FAILED}: ${why}`);
}
