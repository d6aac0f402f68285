import { z } from 'zod';
import { receiptSchema } from './receipt.ts';

/**
 * Why a governed call failed: the error texts of table X, their ids as stable tags. `X0` stands for the checks before
 * dispatch that have no id in the table (arguments, file plan, policy, approval); its text says which.
 */
export const governedFailureSchema = z.object({
  rule: z.string().regex(/^[XACFMT]\d{1,2}$/),
  /** The exact text of the reference, with its detail. */
  text: z.string(),
  /** Column "After": the session lives on, it has ended, or none is concerned. */
  session: z.enum(['lives', 'ended', 'none']),
  /** Of a command that ran, and whose file was to be published: kept as it was sealed, published all the same, or gone. */
  file: z.enum(['kept', 'published', 'gone']).optional(),
});
export type GovernedFailure = z.infer<typeof governedFailureSchema>;

/** The reply of one command: the fields and names of section 2.8, which other programs read. */
export const commandReplySchema = z.object({
  status: z.literal('success'),
  execution_status: z.enum(['prompt_observed', 'session_finalized']),
  session_id: z.string(),
  session_closed: z.boolean(),
  created_files: z.array(receiptSchema.pick({ path: true, bytes: true, sha256: true })),
  file_publication: z.enum(['none', 'pending', 'published']),
  duration_ms: z.number().int(),
  timestamp: z.string(),
  exit_code: z.null(),
  stderr: z.literal(''),
  results: z.object({
    output: z.string(),
    prompt: z.string(),
    session_state: z.enum(['ready', 'error']),
    interaction_count: z.number().int(),
  }),
});
export type CommandReply = z.infer<typeof commandReplySchema>;

/** What a person asks a governed session to run; not checked yet. `args` are the command's own, without `command` (M6). */
export const commandRequestSchema = z.object({
  command: z.string().max(256),
  text: z.string().max(65_536),
  args: z
    .unknown()
    // A record would leave this one out without a word, and what is left out is not refused (M7).
    .refine((args) => !hasOwnProto(args), "Unknown argument '__proto__'")
    .pipe(z.record(z.string().max(256), z.string().max(65_536))),
});
export type CommandRequest = z.infer<typeof commandRequestSchema>;

/** What the check of a request says while it is typed: the exact line that would be sent, or field by field why not. */
export const commandCheckSchema = z.object({
  line: z.string().nullable(),
  /** `field`: the name of an argument, or `command` for the text (M6). */
  problems: z.array(z.object({ field: z.string(), message: z.string() })),
  needsApproval: z.boolean(),
  finalizes: z.boolean(),
});
export type CommandCheck = z.infer<typeof commandCheckSchema>;

function hasOwnProto(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__');
}
