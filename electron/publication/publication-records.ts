import { z } from 'zod';
import { receiptSchema } from '../../shared/governed/receipt.ts';

/**
 * The records of publications in the audit log, by event. Everything that Airlock knows of a publication is rebuilt from
 * them, so each is written before the effect that it allows, or after the one that it reports.
 */

const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);
const identity = z.tuple([z.string(), z.string()]);
const id = { publication_id: z.uuid() };

const attempt = z.object({
  destination: z.string(),
  /** Written before the candidate exists: a crash leaves nothing that has no name in the log. */
  candidate_name: z.string(),
});

export const recoveryStateSchema = z.enum(['ready_to_publish', 'published', 'missing', 'conflict']);
export type RecoveryState = z.infer<typeof recoveryStateSchema>;

export const publicationRecords = {
  /** A private copy exists, hashed. `attempt` is null while nobody has said where to. */
  'publication.sealed': z.object({
    ...id,
    command: z.string().nullable(),
    path: z.string(),
    bytes: z.number().int(),
    sha256: sha256Hex,
    kept: z.string(),
    sealed_at: z.string(),
    attempt: attempt.nullable(),
  }),
  /** Of a sealed file: a destination, or another one after a failure. */
  'publication.started': z.object({ ...id, attempt }),
  /** The intent (F8). */
  'publication.prepared': z.object({
    ...id,
    path: z.string(),
    parent_path: z.string(),
    parent_identity: identity,
    candidate_name: z.string(),
    candidate_identity: identity,
    target_name: z.string(),
    bytes: z.number().int(),
    sha256: sha256Hex,
    approver: receiptSchema.shape.approver,
    approval_id: z.string().nullable(),
  }),
  /** Published (F10); the receipt is proof because this line is signed. */
  'publication.finished': z.object({
    ...id,
    confirmed: z.literal(true),
    error: z.null(),
    receipt: receiptSchema,
  }),
  /** Not published, or not surely; the sealed file is kept. */
  'publication.failed': z.object({ ...id, confirmed: z.literal(false), error: z.string(), at: z.string() }),
  /** What the start after a crash found (F10). */
  'publication.recovered': z.object({
    ...id,
    state: recoveryStateSchema,
    detail: z.string(),
    at: z.string(),
  }),
  /** Nobody wants it: the sealed file is removed. */
  'publication.discarded': z.object({ ...id, reason: z.string() }),
} as const;

export type PublicationRecords = typeof publicationRecords;
export type PublicationEvent = keyof PublicationRecords;
export type PublicationData<E extends PublicationEvent> = z.infer<PublicationRecords[E]>;

export function isPublicationEvent(event: string): event is PublicationEvent {
  return Object.hasOwn(publicationRecords, event);
}
