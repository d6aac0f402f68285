import { z } from 'zod';
import { approvalOutcomeSchema } from '../governed/approval.ts';

const about = { atMs: z.number().min(0), label: z.string().max(300) };

/**
 * Something that happened in a session at a moment of its transcript, as data (DESIGN 8). `label` is one cleaned line for a
 * timeline and for players that know markers only. Ids lead to the request, its decision and the receipt.
 */
export const momentSchema = z.discriminatedUnion('kind', [
  z.object({ ...about, kind: z.literal('command-start'), command: z.string(), line: z.string() }),
  z.object({ ...about, kind: z.literal('command-end'), command: z.string(), status: z.string() }),
  z.object({ ...about, kind: z.literal('approval-requested'), approvalId: z.uuid() }),
  z.object({
    ...about,
    kind: z.literal('approval-decided'),
    approvalId: z.uuid(),
    outcome: approvalOutcomeSchema,
  }),
  /** `receiptId` null: it failed, and nothing was published. */
  z.object({
    ...about,
    kind: z.literal('publication'),
    publicationId: z.uuid(),
    receiptId: z.uuid().nullable(),
    path: z.string(),
  }),
  z.object({ ...about, kind: z.literal('route'), route: z.enum(['sandbox', 'prompt', 'host-process']) }),
  z.object({ ...about, kind: z.literal('suspended') }),
  z.object({ ...about, kind: z.literal('resumed') }),
  z.object({ ...about, kind: z.literal('notice'), text: z.string() }),
  /** Recording went no further; the session did. */
  z.object({ ...about, kind: z.literal('recording-stopped'), why: z.string() }),
  /** A marker of a foreign file. */
  z.object({ ...about, kind: z.literal('marker') }),
]);
export type Moment = z.infer<typeof momentSchema>;

/** A moment whose time is given beside it. */
export type UntimedMoment = Moment extends infer One
  ? One extends Moment
    ? Omit<One, 'atMs'>
    : never
  : never;
