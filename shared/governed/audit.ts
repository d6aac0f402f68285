import { z } from 'zod';

/**
 * One line of the audit log: canonical JSON (RFC 8785), the keys in that order, nothing else. `sig` signs the other fields
 * in the same form; `prev` is the SHA-256 of the line before without its line feed, zeros in the first.
 */
export const auditEntrySchema = z.strictObject({
  v: z.literal(1),
  /** 1-based; the line's number in the file. */
  n: z.number().int().min(1),
  at: z.iso.datetime(),
  event: z.string().regex(/^[a-z][A-Za-z0-9_.-]{0,99}$/),
  sessionId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
  prev: z.string().regex(/^[0-9a-f]{64}$/),
  /** Ed25519, lower-case hex. */
  sig: z.string().regex(/^[0-9a-f]{128}$/),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/**
 * What does not hold. `format`: the line is not one that the log writes. `chain`: it does not follow the line before.
 * `signature`: another key, or changed. `end`: lines are missing at the end. `key`: no public key to check with.
 * `receipt`: a receipt that no intent or no approval stands for. `file`: a published file is not what its receipt says.
 */
export const auditBreakSchema = z.object({
  kind: z.enum(['format', 'chain', 'signature', 'end', 'key', 'receipt', 'file']),
  /** Line of the log; null where no line is concerned. */
  line: z.number().int().nullable(),
  event: z.string().nullable(),
  /** One sentence for people. */
  message: z.string(),
});
export type AuditBreak = z.infer<typeof auditBreakSchema>;

/** The result of checking the audit log of a data folder (DESIGN 6). Counts are of lines and receipts that hold in the log. */
export const auditVerificationSchema = z.object({
  ok: z.boolean(),
  /** Absolute path of the log. */
  log: z.string(),
  lines: z.number().int(),
  receipts: z.number().int(),
  /** SHA-256 of the public key, lower-case hex: compare it with the one noted elsewhere. Null while there is no log. */
  keyFingerprint: z.string().nullable(),
  /** The first break by line, of `chain` and `files`; null when everything holds. */
  broken: auditBreakSchema.nullable(),
  /** The first line that does not hold by itself; nothing after it was checked. */
  chain: auditBreakSchema.nullable(),
  /** Every receipt before that line whose file is gone or changed. */
  files: z.array(
    z.object({ receiptId: z.uuid(), line: z.number().int(), path: z.string(), reason: z.string() }),
  ),
  /** What is worth knowing and breaks nothing: a torn line that was set aside, a publication that was interrupted. */
  notes: z.array(z.string()),
});
export type AuditVerification = z.infer<typeof auditVerificationSchema>;
