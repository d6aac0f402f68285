import { z } from 'zod';
import { approvalOutcomeSchema, approvalRequestSchema } from './approval.ts';
import { APPROVAL } from './limits.ts';

/**
 * What the approval page asks of the host: verb → parameters and result, the same over both carriers (DESIGN 6). The page
 * has this and nothing else; no other page has it.
 */

/** Headless: the meta element that brings a window of its own the key that approves. */
export const APPROVAL_KEY_META = 'airlock-approval-key';

/** A request as the page lists it. Milliseconds left are those of the host's steady clock when this was sent. */
export const waitingRequestSchema = approvalRequestSchema
  .omit({ payload: true })
  .extend({ leftMs: z.number().min(0) });
export type WaitingRequest = z.infer<typeof waitingRequestSchema>;

const viewing = z.string().max(64);
/** What a decision is bound to: this request, this content, and the showing that a person has read. */
const bound = z.object({ id: z.uuid(), digest: z.string().max(80), viewing });

const settledSchema = z.object({
  id: z.uuid(),
  title: z.string(),
  outcome: approvalOutcomeSchema,
  /** Words about the outcome; null when there are none. */
  reason: z.string().nullable(),
});
export type SettledRequest = z.infer<typeof settledSchema>;

export const approvalPageRequests = {
  /** Answers at once when `after` is not the present revision, else when something has changed or some seconds are over. */
  list: {
    params: z.object({ after: z.number().int().nullable() }),
    result: z.object({
      revision: z.number().int(),
      /** Oldest first. */
      waiting: z.array(waitingRequestSchema),
      /** Newest first, the last few. */
      settled: z.array(settledSchema),
      theme: z.enum(['system', 'dark', 'light', 'high-contrast']),
    }),
  },
  /** The whole content, and a fresh viewing that nothing has armed yet. */
  show: {
    params: z.object({ id: z.uuid() }),
    result: waitingRequestSchema.extend({
      payload: z.string(),
      viewing,
      /** Why it cannot be approved here, whatever is read; null when it can. */
      obstacle: z.string().nullable(),
    }),
  },
  /**
   * Says whether this viewing is visible and read to its end. Approve works from `armMs` milliseconds on, unless
   * it is taken back meanwhile.
   */
  arm: {
    params: bound.extend({ ready: z.boolean() }),
    result: z.object({ armMs: z.number() }),
  },
  approve: { params: bound, result: settledSchema },
  deny: {
    params: bound.omit({ viewing: true }).extend({ reason: z.string().max(APPROVAL.reasonMaxChars) }),
    result: settledSchema,
  },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;

export type ApprovalPageVerb = keyof typeof approvalPageRequests;
export type ApprovalPageParams<V extends ApprovalPageVerb> = z.infer<
  (typeof approvalPageRequests)[V]['params']
>;
export type ApprovalPageResult<V extends ApprovalPageVerb> = z.infer<
  (typeof approvalPageRequests)[V]['result']
>;

/** Why the host did not do it; `text` is for the person. */
export type ApprovalPageRefusal = {
  readonly tag: 'signed-out' | 'malformed' | 'unknown' | 'refused' | 'unreachable';
  readonly text: string;
};
export type ApprovalPageAnswer<V extends ApprovalPageVerb> =
  | { readonly ok: true; readonly value: ApprovalPageResult<V> }
  | { readonly ok: false; readonly error: ApprovalPageRefusal };

/** Carries one request of the page to its host. Never rejects. */
export type AskHost = <V extends ApprovalPageVerb>(
  verb: V,
  params: ApprovalPageParams<V>,
) => Promise<ApprovalPageAnswer<V>>;
