import { z } from 'zod';
import { symbiontRuntimeSchema } from '../governed/symbiont.ts';
import { hostTokenSchema } from '../settings/host-token.ts';
import { profileIdSchema } from '../settings/schema.ts';

const none = z.object({});

/** Symbiont runtimes whose held actions this host follows. No verb here decides one, and none gives a token back. */
export const symbiontRequests = {
  /** One entry for each profile of the kind, in the order of the settings. */
  'symbiont.list': { params: none, result: z.object({ runtimes: z.array(symbiontRuntimeSchema) }) },
  /**
   * Keeps the token of a saved profile, for the address that the profile has now, and follows the runtime from then on.
   * Rejects: profile-unknown, token-not-kept.
   */
  'symbiont.set-token': {
    params: z.object({ profileId: profileIdSchema, token: hostTokenSchema }),
    result: none,
  },
  /** Rejects: token-not-kept. */
  'symbiont.forget-token': { params: z.object({ profileId: profileIdSchema }), result: none },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;
