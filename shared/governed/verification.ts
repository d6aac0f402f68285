import { z } from 'zod';

/** What the check of one publication found: its receipt in the audit log, the signature, and the file itself. */
export const publicationCheckSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('ok'), checkedAt: z.string() }),
  /** Each problem is a sentence: what does not agree, and with what. */
  z.object({ state: z.literal('broken'), checkedAt: z.string(), problems: z.array(z.string()).min(1) }),
]);
export type PublicationCheck = z.infer<typeof publicationCheckSchema>;

/** What the check of the whole audit log found: its chain, its signatures, the receipts and their files. */
export const auditCheckSchema = z.object({
  checkedAt: z.string(),
  /** Absolute path of the log. */
  log: z.string(),
  records: z.number().int().min(0),
  receipts: z.number().int().min(0),
  /** The first link that does not hold, 1-based line of the log; null when every one does. */
  broken: z.object({ line: z.number().int().min(1), reason: z.string() }).nullable(),
  /** Receipts that hold in the log and whose file is gone or changed. */
  files: z.array(z.object({ receiptId: z.string(), path: z.string(), reason: z.string() })),
});
export type AuditCheck = z.infer<typeof auditCheckSchema>;

/** One file below /out of a shell. */
export const outFileSchema = z.object({
  /** Relative to /out. */
  path: z.string(),
  bytes: z.number().int().min(0),
  modifiedAt: z.string(),
  /** Why it cannot be published (a link, more than one name, too large); null when it can. */
  refused: z.string().nullable(),
});
export type OutFile = z.infer<typeof outFileSchema>;

/** The policies that decide now (C6). */
export const policiesShownSchema = z.object({
  /** `built-in` until the user has a policy file. */
  source: z.enum(['built-in', 'user']),
  text: z.string(),
  /** Absolute path of the folder where the user's policies are looked for. */
  folder: z.string(),
  problems: z.array(z.string()),
});
export type PoliciesShown = z.infer<typeof policiesShownSchema>;
