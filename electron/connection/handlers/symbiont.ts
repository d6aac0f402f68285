import { ok } from '../../../shared/result.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';

type SymbiontHandlers = Pick<Handlers, 'symbiont.list' | 'symbiont.set-token' | 'symbiont.forget-token'>;

/** A token goes in here and never comes out. */
export function symbiontHandlers({ symbiont }: Pick<HostServices, 'symbiont'>): SymbiontHandlers {
  return {
    'symbiont.list': () => ok({ runtimes: symbiont.list() }),

    'symbiont.set-token'({ profileId, token }) {
      const kept = symbiont.setToken(profileId, token);
      return kept.ok ? ok({}) : kept;
    },

    'symbiont.forget-token'({ profileId }) {
      const removed = symbiont.forgetToken(profileId);
      return removed.ok ? ok({}) : removed;
    },
  };
}
