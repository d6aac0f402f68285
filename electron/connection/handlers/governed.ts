import { taggedError } from '../../../shared/protocol/errors.ts';
import { governedRequests } from '../../../shared/protocol/governed-requests.ts';
import { fail } from '../../../shared/result.ts';
import type { Handlers } from '../router.ts';

type GovernedHandlers = Pick<Handlers, keyof typeof governedRequests>;

/** Every verb of governed sessions is refused until the host has the service behind them. */
export function governedHandlers(): GovernedHandlers {
  const refuse = () => fail(taggedError('not-available-here', 'This host has no governed sessions.'));
  return Object.fromEntries(
    Object.keys(governedRequests).map((verb) => [verb, refuse]),
  ) as unknown as GovernedHandlers;
}
