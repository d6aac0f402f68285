import { z } from 'zod';

/** Where a request comes from: the payload of `airlock` is an `ApprovalPayload`, that of `symbiont` a `HeldElsewhere`. */
export const approvalSourceSchema = z.enum(['airlock', 'symbiont']);
export type ApprovalSource = z.infer<typeof approvalSourceSchema>;

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/**
 * What a person is asked. `payload` is everything that the decision is about, as canonical JSON; `digest` is its SHA-256.
 * A decision names both the id and the digest, and is good for one use (A3, A4, DESIGN 6).
 */
export const approvalRequestSchema = z.object({
  id: z.uuid(),
  source: approvalSourceSchema,
  kind: z.enum(['command', 'publication']),
  /** One line for queues and notifications: cleaned, never trusted for a decision. */
  title: z.string().max(200),
  sessionId: z.string(),
  digest,
  payload: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type ApprovalRequest = z.infer<typeof approvalRequestSchema>;

/** The facts of a payload, in the order in which the page shows them. */
export const approvalPayloadSchema = z.object({
  kind: z.enum(['command', 'publication']),
  call_id: z.string(),
  /** Of a command: `TOOL.COMMAND`, the exact line, every argument. */
  tool: z.string().nullable(),
  command: z.string().nullable(),
  arguments: z.record(z.string(), z.string()),
  manifest: z
    .object({ name: z.string(), version: z.string(), digest: z.string(), file: z.string() })
    .nullable(),
  fingerprint: digest,
  engine: z.string(),
  posture: z.array(z.string()),
  /** What happens when this runs: "ends the session and publishes the file", in words. */
  effects: z.array(z.string()),
  /** F5; of a shell's publication only `create`. */
  files: z.unknown(),
  destination: z.string().nullable(),
  staged: z.object({ bytes: z.number().int(), sha256: z.string().nullable() }).nullable(),
  session_finalizes: z.boolean(),
});
export type ApprovalPayload = z.infer<typeof approvalPayloadSchema>;

/**
 * An action that a Symbiont runtime holds. `action` is that of its REST API, unchanged; `runtime` is what this host knows of
 * whom it asked.
 */
export interface HeldElsewhere {
  readonly runtime: {
    readonly profile: string;
    readonly name: string;
    readonly address: string;
    readonly version: string;
  };
  readonly action: Readonly<Record<string, unknown>>;
}

/** `unknown`: a decision was sent to where the request came from, and whether it took effect is not known (A12). */
export const approvalOutcomeSchema = z.enum(['approved', 'denied', 'expired', 'cancelled', 'unknown']);

/** What became of a request; the history shows it, the audit log keeps it. */
export const approvalRecordSchema = z.object({
  request: approvalRequestSchema.omit({ payload: true }),
  outcome: approvalOutcomeSchema,
  reason: z.string().nullable(),
  /** Who decided, also where that had no effect (`cancelled`) or perhaps none (`unknown`). */
  approver: z.object({ surface: z.string(), id: z.string(), display: z.string() }).nullable(),
  decidedAt: z.string(),
});
export type ApprovalRecord = z.infer<typeof approvalRecordSchema>;

/** What the main page may know: the queue, never the payload, and no way to decide. */
export const approvalQueueSchema = z.object({
  pending: z.array(approvalRequestSchema.omit({ payload: true })),
  recent: z.array(approvalRecordSchema),
});
export type ApprovalQueue = z.infer<typeof approvalQueueSchema>;
