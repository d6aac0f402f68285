import type { GovernedFailure } from '../../../shared/governed/call.ts';
import type { Receipt } from '../../../shared/governed/receipt.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { FileError, type PublicationAuthority, type Staging } from '../ports.ts';
import { failure, messageOf, ownFailure } from './failures.ts';

/**
 * Publishes a session's file by the word of the command that finalizes it. `mayGoOn` is part of the authority: when it has
 * become false by the time the file would be put in place, nothing is (E39.5, F8).
 */
export async function publish(
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
