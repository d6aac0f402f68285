import { z } from 'zod';
import { engineKindSchema } from '../terminal/engine-status.ts';
import { terminalSizeSchema } from '../terminal/size.ts';
import { momentSchema } from './moment.ts';

/** How the session of a transcript ended; `interrupted`: its host died with it, and recording has no end. */
export const endedHowSchema = z.enum([
  'running',
  'success',
  'failure',
  'signal',
  'concluded',
  'unknown',
  'interrupted',
]);
export type EndedHow = z.infer<typeof endedHowSchema>;

/** Id of the session, or of an import. */
export const transcriptIdSchema = z.uuid();

/** One transcript as lists show it. Strings are as they were recorded: escape them at display. */
export const transcriptSummarySchema = z.object({
  id: transcriptIdSchema,
  kind: z.enum(['shell', 'governed', 'imported']),
  title: z.string(),
  profileId: z.string(),
  /** Null for an import. */
  engine: engineKindSchema.nullable(),
  /** What that ran on, such as "gVisor in Docker"; null where the recording does not say. */
  product: z.string().nullable(),
  /** Wall clock, ISO; null where a foreign file does not say. */
  startedAt: z.string().nullable(),
  /** Milliseconds on the steady clock from the start to the last event. */
  durationMs: z.number().min(0),
  size: terminalSizeSchema,
  /** On disk, all segments. */
  bytes: z.number().int().min(0),
  ended: z.object({ how: endedHowSchema, words: z.string() }),
  /** Why recording stopped before the session ended; null when it did not. */
  stopped: z.string().nullable(),
  approvals: z.number().int().min(0),
  receipts: z.number().int().min(0),
  /** Share of it that is searchable by now, 0 to 1. */
  indexed: z.number().min(0).max(1),
});
export type TranscriptSummary = z.infer<typeof transcriptSummarySchema>;

export const transcriptFiltersSchema = z.strictObject({
  /** ISO dates, inclusive and exclusive. */
  from: z.string().optional(),
  to: z.string().optional(),
  profileId: z.string().max(64).optional(),
  engine: engineKindSchema.optional(),
  kind: z.enum(['shell', 'governed', 'imported']).optional(),
  ended: endedHowSchema.optional(),
  withApprovals: z.boolean().optional(),
  withReceipts: z.boolean().optional(),
});
export type TranscriptFilters = z.infer<typeof transcriptFiltersSchema>;

/** One place where a search was found: its line of final text, cut around the first match. */
export const hitSchema = z.object({
  /** When the line was last written. */
  atMs: z.number().min(0),
  /** Number of the line in the transcript's text, from 0; null for a hit in the raw bytes. */
  line: z.number().int().min(0).nullable(),
  text: z.string(),
  /** Matches in `text`, UTF-16 offsets. */
  matches: z.array(z.object({ start: z.number().int(), end: z.number().int() })),
});
export type Hit = z.infer<typeof hitSchema>;

export const foundTranscriptSchema = transcriptSummarySchema.extend({
  hits: z.array(hitSchema),
  hitCount: z.number().int().min(0),
});
export type FoundTranscript = z.infer<typeof foundTranscriptSchema>;

/** Where a list goes on: with this transcript, `within` it where it was searched up to there and nothing was found. Opaque. */
export const listPlaceSchema = z.object({ id: transcriptIdSchema, within: z.number().int().min(0) });
export type ListPlace = z.infer<typeof listPlaceSchema>;

export const openedTranscriptSchema = transcriptSummarySchema.extend({
  moments: z.array(momentSchema),
  textLines: z.number().int().min(0),
});
export type OpenedTranscript = z.infer<typeof openedTranscriptSchema>;

/**
 * An event to play. `output` bytes that are UTF-8 come as text, others as base64: a UTF-8 decoder that goes over all of them
 * in order sees exactly the recorded bytes.
 */
export const replayEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('output'), atMs: z.number(), text: z.string() }),
  z.object({ kind: z.literal('output-bytes'), atMs: z.number(), base64: z.string() }),
  z.object({ kind: z.literal('input'), atMs: z.number(), text: z.string() }),
  z.object({ kind: z.literal('resize'), atMs: z.number(), size: terminalSizeSchema }),
  z.object({ kind: z.literal('moment'), atMs: z.number(), moment: momentSchema }),
]);
export type ReplayEvent = z.infer<typeof replayEventSchema>;

/** Where playing can begin: the terminal as it was then, and the place of the next event. */
export const snapshotSchema = z.object({
  atMs: z.number().min(0),
  /** Place in the transcript for `transcripts.read`; opaque, only ever grows. */
  position: z.number().int().min(0),
  size: terminalSizeSchema,
  /** What brings a fresh terminal of that size into this state, as output. Empty at the start. */
  screen: z.string(),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

export const textLineSchema = z.object({ line: z.number().int(), atMs: z.number(), text: z.string() });
export type TextLine = z.infer<typeof textLineSchema>;

/** What an export removes: everywhere where it is shown. */
export const redactionSchema = z.discriminatedUnion('kind', [
  /** A Rust regular expression, searched in the text without its escape sequences. */
  z.object({ kind: z.literal('pattern'), pattern: z.string().min(1).max(500) }),
  /** Exactly this text, as it was selected. */
  z.object({ kind: z.literal('text'), text: z.string().min(1).max(4096) }),
]);
export type Redaction = z.infer<typeof redactionSchema>;

export const exportFormatSchema = z.enum(['cast', 'text', 'html']);
export type ExportFormat = z.infer<typeof exportFormatSchema>;

export const exportReportSchema = z.object({
  exportId: z.uuid(),
  fileName: z.string(),
  bytes: z.number().int(),
  /** SHA-256 of what was recorded: the segments in order. */
  originalSha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** What was removed, in order; `shown` is a cut, masked form such as `AKIA… (20 characters)`. */
  removed: z.array(z.object({ rule: z.string(), atMs: z.number(), shown: z.string() })),
  removedCount: z.number().int(),
  /** Texts that a rule still matches on the screen after all, for example because a program wrote it in pieces. */
  remaining: z.array(z.object({ rule: z.string(), atMs: z.number(), shown: z.string() })),
});
export type ExportReport = z.infer<typeof exportReportSchema>;

export const retentionPreviewSchema = z.object({
  goes: z.array(transcriptSummarySchema.extend({ why: z.string() })),
  bytes: z.number().int(),
});
export type RetentionPreview = z.infer<typeof retentionPreviewSchema>;
