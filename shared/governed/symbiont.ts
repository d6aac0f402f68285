import { z } from 'zod';
import { profileIdSchema } from '../settings/schema.ts';

/** How it goes with following one runtime. */
export const symbiontStatusSchema = z.discriminatedUnion('kind', [
  /** None is kept, or it was kept for another address. Nothing is asked. */
  z.object({ kind: z.literal('no-token') }),
  z.object({ kind: z.literal('connecting') }),
  /** `held`: actions that wait there. `notOffered`: those of them that cannot be asked here. */
  z.object({
    kind: z.literal('following'),
    version: z.string(),
    held: z.number().int().min(0),
    notOffered: z.number().int().min(0),
  }),
  /** Nothing of it is offered meanwhile; it is asked again, less and less often. `text` is for a person. */
  z.object({ kind: z.literal('failing'), text: z.string() }),
]);
export type SymbiontStatus = z.infer<typeof symbiontStatusSchema>;

/** What a page may know of a runtime. That a token is kept is any status but `no-token`; no page learns the token. */
export const symbiontRuntimeSchema = z.object({ profileId: profileIdSchema, status: symbiontStatusSchema });
export type SymbiontRuntime = z.infer<typeof symbiontRuntimeSchema>;
