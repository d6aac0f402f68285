import type { CommandReply, GovernedFailure } from '../../../shared/governed/call.ts';
import type { Receipt } from '../../../shared/governed/receipt.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { FileError, type PublicationAuthority, type Staging } from '../ports.ts';
import { failure, messageOf, ownFailure } from './failures.ts';
import type { PendingCommand } from './pending-command.ts';
import type { SessionWorker } from './session-worker.ts';

export interface Finalizing {
  readonly command: PendingCommand;
  readonly worker: SessionWorker;
  /** The session owes a file. */
  readonly owesFile: boolean;
  /** The caller is there, nothing was stopped, no deadline has passed (E39.5). */
  readonly mayGoOn: () => boolean;
  readonly replyWith: (receipt: Receipt | null) => CommandReply;
}

/**
 * What follows the prompt of a finalizing command, in the order of E39: worker stopped, removal confirmed, checks, file
 * published, reply. Nothing is published unless every step before it succeeded.
 */
export async function finalize(finalizing: Finalizing): Promise<Result<CommandReply, GovernedFailure>> {
  const { command, worker, owesFile, mayGoOn, replyWith } = finalizing;
  const notRemoved = await worker.remove();
  if (notRemoved !== null) return fail(notRemoved);
  if (!mayGoOn()) return fail(failure('finalizationCancelled'));
  if (!owesFile) return ok(replyWith(null));
  if (worker.staging === null) return fail(failure('stagingMissing'));
  command.move('publishing');
  const published = await publish(worker.staging, command.call.authority, mayGoOn);
  return published.ok ? ok(replyWith(published.value)) : published;
}

/** By the word of the finalizing command alone. When `mayGoOn` has become false before the file is put in place, it is not (F8). */
async function publish(
  staging: Staging,
  authority: PublicationAuthority | null,
  mayGoOn: () => boolean,
): Promise<Result<Receipt, GovernedFailure>> {
  if (authority === null) return fail({ ...failure('noPublicationChannel'), session: 'ended' });
  const { sessionId, command, approver, approvalId } = authority;
  const stillHolds = () => mayGoOn() && authority.stillHolds();
  try {
    return ok(await staging.publish({ sessionId, command, approver, approvalId, stillHolds }));
  } catch (error) {
    if (error instanceof FileError) return fail(ownFailure(error.rule, error.message));
    return fail(failure('publicationFailed', messageOf(error)));
  }
}
