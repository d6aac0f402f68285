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
  const lost = owesFile && ({ file: 'gone' } as const);
  if (!mayGoOn()) return fail({ ...failure('finalizationCancelled'), ...lost });
  if (!owesFile) return ok(replyWith(null));
  if (worker.staging === null) return fail({ ...failure('stagingMissing'), ...lost });
  command.move('publishing');
  const published = await publish(worker.staging, command.call.authority, mayGoOn);
  return published.ok ? ok(replyWith(published.value)) : published;
}

/** When what it is published by holds no more before the file is put in place, it is not (F8). */
async function publish(
  staging: Staging,
  authority: PublicationAuthority | null,
  mayGoOn: () => boolean,
): Promise<Result<Receipt, GovernedFailure>> {
  if (authority === null) return fail({ ...failure('noPublicationChannel'), session: 'ended' });
  try {
    return ok(await staging.publish(boundTo(authority, mayGoOn)));
  } catch (error) {
    if (error instanceof FileError) return fail(ownFailure(error.rule, error.message, error.file));
    return fail(failure('publicationFailed', messageOf(error)));
  }
}

/**
 * The command's word counts while its call may go on. A second look takes a person's time (DESIGN 7): after it their word
 * counts instead of the call's deadline.
 */
function boundTo(authority: PublicationAuthority, mayGoOn: () => boolean): PublicationAuthority {
  let lookedAgain = false;
  const { secondLook } = authority;
  return {
    ...authority,
    stillHolds: () => (lookedAgain || mayGoOn()) && authority.stillHolds(),
    ...(secondLook !== undefined && {
      secondLook: async (sealed) => {
        const second = await secondLook(sealed);
        lookedAgain = second.outcome === 'approved';
        return second;
      },
    }),
  };
}
