import { z } from 'zod';

/** What a governed session does right now. `command` is `TOOL.COMMAND`. */
export const governedActivitySchema = z.discriminatedUnion('kind', [
  /** Ready for the next command; also before the first one, when no worker was started yet (E13). */
  z.object({ kind: z.literal('idle') }),
  z.object({ kind: z.literal('running'), command: z.string(), since: z.string() }),
  z.object({ kind: z.literal('waiting-for-approval'), command: z.string(), approvalId: z.uuid() }),
  /** After a finalizing command: the worker is stopped, its file sealed and put in place (E39). */
  z.object({ kind: z.literal('publishing'), command: z.string() }),
  /** No further command is taken; `why` is a sentence for a person. */
  z.object({ kind: z.literal('closed'), why: z.string() }),
]);
export type GovernedActivity = z.infer<typeof governedActivitySchema>;

/**
 * What the page shows of a governed session. Deadlines are milliseconds left when this was sent, so that two clocks that
 * differ do not matter; null while the deadline does not apply (E17, E18).
 */
export const governedStatusSchema = z.object({
  activity: governedActivitySchema,
  /** E35, E36: commands answered, and how many the manifest permits. */
  interactions: z.object({ count: z.number().int().min(0), limit: z.number().int().min(1) }),
  idleLeftMs: z.number().min(0).nullable(),
  lifeLeftMs: z.number().min(0).nullable(),
});
export type GovernedStatus = z.infer<typeof governedStatusSchema>;
