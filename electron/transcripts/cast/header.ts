import { z } from 'zod';
import { engineKindSchema } from '../../../shared/terminal/engine-status.ts';
import { terminalSizeSchema } from '../../../shared/terminal/size.ts';
import { transcriptIdSchema } from '../../../shared/transcripts/transcript.ts';

const text = z.string().catch('');

/** What Airlock says about a recording besides what asciicast knows; players do not look at it. */
const ownFactsSchema = z.object({
  format: z.literal(1),
  id: transcriptIdSchema,
  /** From 1. Segment n + 1 goes on where segment n ends. */
  segment: z.number().int().min(1),
  kind: z.enum(['shell', 'governed', 'imported']),
  profileId: text,
  profileName: text,
  engine: engineKindSchema.nullable(),
  /** What the engine ran on, such as "gVisor in Docker"; left out where it has no other name than its own. */
  product: z.string().optional().catch(undefined),
  /** What the sandbox could reach, one fact each. */
  posture: z.array(z.string()).catch([]),
  recordsInput: z.boolean().catch(false),
  /** Steady time since the start of the recording at the start of this segment, microseconds. */
  startOffsetUs: z.number().int().min(0),
  /** Of an import: the file that it was made from. */
  source: z
    .object({ name: text, sha256: text, version: z.number().catch(0) })
    .optional()
    .catch(undefined),
});

export type OwnFacts = z.infer<typeof ownFactsSchema>;

/** The first line of a segment: asciicast v3. What is not needed to play it may be missing or wrong in a foreign file. */
const castHeaderSchema = z.object({
  version: z.literal(3),
  term: z.object({ ...terminalSizeSchema.shape, type: z.string().optional().catch(undefined) }),
  /** Wall clock at the start of the segment, Unix seconds. */
  timestamp: z.number().optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  env: z.record(z.string(), z.string()).optional().catch(undefined),
  /** Missing in foreign files. */
  airlock: ownFactsSchema.optional(),
});
export type CastHeader = z.infer<typeof castHeaderSchema>;

/** Null for what is no header of asciicast v3. */
export function parseHeader(line: string): CastHeader | null {
  try {
    return castHeaderSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
