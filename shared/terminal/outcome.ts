import { z } from 'zod';

/**
 * How a session's program ended. `unknown` is used whenever the engine cannot give a trustworthy status;
 * it is never guessed and never shown as success (ST-22).
 */
export const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), code: z.number().int().min(0).max(255) }),
  z.object({ kind: z.literal('signalled'), signal: z.number().int().min(1).max(64), name: z.string() }),
  /** A governed session that ended in order, and how. A prompt proves no exit status, so none is claimed. */
  z.object({ kind: z.literal('concluded'), reason: z.string() }),
  z.object({ kind: z.literal('unknown'), reason: z.string() }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** What started a session's release (ST-24). */
export const releaseCauseSchema = z.enum([
  'program-ended',
  'escape',
  'user',
  'client-lost',
  'terminal-lost',
  'deadline',
  /** A governed session that could not be recorded any more. */
  'recording-lost',
  'host-closing',
]);
export type ReleaseCause = z.infer<typeof releaseCauseSchema>;

/** What a release did and whether removal was confirmed. `removed: false` makes the session need attention (ST-25). */
export const releaseReportSchema = z.object({
  removed: z.boolean(),
  steps: z.array(z.object({ step: z.string(), detail: z.string().optional() })),
  reason: z.string().optional(),
});
export type ReleaseReport = z.infer<typeof releaseReportSchema>;
