import { z } from 'zod';
import { outcomeSchema, releaseCauseSchema, releaseReportSchema } from './outcome.ts';

/** Where a session's terminal traffic goes (ST-18). */
export const routeSchema = z.enum(['sandbox', 'prompt', 'host-process']);
export type Route = z.infer<typeof routeSchema>;

/**
 * The life of a session: opening → running → releasing → ended, or needs-attention when an identity no longer
 * matches or removal could not be confirmed (ST-25).
 */
export const sessionStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opening') }),
  z.object({ kind: z.literal('running'), route: routeSchema, suspended: z.boolean() }),
  z.object({ kind: z.literal('releasing'), cause: releaseCauseSchema }),
  z.object({
    kind: z.literal('ended'),
    cause: releaseCauseSchema,
    outcome: outcomeSchema,
    release: releaseReportSchema,
  }),
  z.object({
    kind: z.literal('needs-attention'),
    cause: releaseCauseSchema,
    outcome: outcomeSchema,
    release: releaseReportSchema,
  }),
]);
export type SessionState = z.infer<typeof sessionStateSchema>;
