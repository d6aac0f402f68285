import { z } from 'zod';

const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** The file grants of one call, as they are hashed, shown and decided on (F5). No file contents. */
export const fileDescriptorSchema = z.object({
  read: z.array(z.object({ path: z.string(), bytes: z.number().int(), sha256: sha256Hex })),
  create: z.array(z.string()),
  max_file_bytes: z.number().int(),
  input_snapshots: z.literal(true),
  overwrite: z.literal(false),
  /** Device and inode of the output's folder, as text; null without an output. */
  output_parent_identity: z.tuple([z.string(), z.string()]).nullable(),
});
export type FileDescriptor = z.infer<typeof fileDescriptorSchema>;

/** What proves that a file left a sandbox, and by whose word (DESIGN 7, F11). Kept in the audit log, signed there. */
export const receiptSchema = z.object({
  id: z.uuid(),
  sessionId: z.string(),
  /** `TOOL.COMMAND` of a governed session; null for "Publish…" from a shell. */
  command: z.string().nullable(),
  /** As granted, relative to the grant; for a shell the path below /out. */
  path: z.string(),
  /** Absolute path of the published file. */
  destination: z.string(),
  bytes: z.number().int(),
  sha256: sha256Hex,
  /** Who approved: the surface and a name for display; null in a receipt that nothing stands for. */
  approver: z.object({ surface: z.string(), id: z.string(), display: z.string() }).nullable(),
  approvalId: z.string().nullable(),
  sealedAt: z.string(),
  publishedAt: z.string(),
  /** The moment in the transcript of its session; null where none was kept, missing in receipts of earlier versions. */
  transcript: z
    .object({ id: z.uuid(), atMs: z.number().min(0) })
    .nullable()
    .optional(),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** A publication as the pane lists it. `kept`: where the sealed file of a failed one still is. */
export const publicationSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('published'), receipt: receiptSchema }),
  z.object({
    state: z.literal('failed'),
    id: z.uuid(),
    sessionId: z.string(),
    path: z.string(),
    destination: z.string(),
    bytes: z.number().int(),
    sha256: sha256Hex,
    reason: z.string(),
    kept: z.string(),
    at: z.string(),
    /** Only where Airlock stopped while it published: what the next start found (F10). `published` cannot be retried. */
    recovery: z.enum(['ready_to_publish', 'published', 'missing', 'conflict']).optional(),
  }),
]);
export type Publication = z.infer<typeof publicationSchema>;
