import type { SymbiontStatus } from '../../shared/governed/symbiont.ts';

export interface StatusWords {
  readonly text: string;
  readonly tone: 'ok' | 'plain' | 'danger';
}

/** A13: what is seen of a runtime, and what is not. */
export const REACH =
  'Reached is what is held in that “symbi up” process alone. “symbi run” and “symbi shell” hold approvals in their own: decide those there.';

/** How it goes with a runtime, in words; null: the host has not said yet. */
export function statusWords(status: SymbiontStatus | null): StatusWords {
  switch (status?.kind) {
    case undefined:
      return { text: 'Asking the host…', tone: 'plain' };
    case 'no-token':
      return { text: 'Not followed: no token is kept for this address.', tone: 'plain' };
    case 'connecting':
      return { text: 'Connecting…', tone: 'plain' };
    case 'following':
      return { text: followingWords(status), tone: 'ok' };
    case 'failing':
      return { text: `${status.text} Nothing of it is offered; it is asked again.`, tone: 'danger' };
  }
}

function followingWords({
  version,
  held,
  notOffered,
}: Extract<SymbiontStatus, { kind: 'following' }>): string {
  const count = held === 0 ? 'nothing is held' : held === 1 ? '1 action is held' : `${held} actions are held`;
  const rest = notOffered === 0 ? '' : ` ${notOffered} of them cannot be asked here now.`;
  return `Following Symbiont ${version}: ${count}.${rest}`;
}
