import { z } from 'zod';
import { LIST, PIECE_MAX_BYTES, REDACTION, SEARCH_MAX_CHARS, TEXT_LINES_MAX } from '../transcripts/limits.ts';
import { momentSchema } from '../transcripts/moment.ts';
import {
  exportFormatSchema,
  exportReportSchema,
  foundTranscriptSchema,
  listPlaceSchema,
  openedTranscriptSchema,
  redactionSchema,
  replayEventSchema,
  retentionPreviewSchema,
  snapshotSchema,
  textLineSchema,
  transcriptFiltersSchema,
  transcriptIdSchema,
  transcriptSummarySchema,
} from '../transcripts/transcript.ts';

const none = z.object({});
const onTranscript = z.object({ id: transcriptIdSchema });
const onExport = z.object({ exportId: z.uuid() });
const piece = z.string().max(Math.ceil(PIECE_MAX_BYTES / 3) * 4);

/** An export reads its recording several times: `share`, 0 to 1, is of all of that. */
const exportProgressSchema = z.object({
  share: z.number().min(0).max(1),
  /** Of the recording. */
  bytes: z.number().int().min(0),
});
export type ExportProgress = z.infer<typeof exportProgressSchema>;

/** Transcripts: listing, searching, replaying, exporting, keeping. All reject with transcripts-unavailable and transcript-unknown. */
export const transcriptRequests = {
  /**
   * Newest first, those where `search` is found if there is one. `raw` searches what programs wrote, overwritten and hidden
   * text included, instead of what the screen showed. `from`: `next` of the page before.
   */
  'transcripts.list': {
    params: z.object({
      search: z.string().max(SEARCH_MAX_CHARS).default(''),
      raw: z.boolean().default(false),
      filters: transcriptFiltersSchema.default({}),
      from: listPlaceSchema.optional(),
      limit: z.number().int().min(1).max(LIST.pageMax).default(50),
    }),
    result: z.object({
      transcripts: z.array(foundTranscriptSchema),
      /** Of all pages. */
      total: z.number().int(),
      hitCount: z.number().int(),
      /**
       * Null when all was looked through. A search that takes long has pages that end where its time did, also without a
       * transcript in them.
       */
      next: listPlaceSchema.nullable(),
      /** False: not everything could be counted in time, and there may be more of both. */
      counted: z.boolean().optional(),
      /** Of everything kept, whatever the filters. */
      kept: z.object({ count: z.number().int(), bytes: z.number().int(), maxBytes: z.number().int() }),
      /** What is not searched yet: transcripts that are still being indexed. */
      indexing: z.number().int(),
    }),
  },
  'transcripts.open': { params: onTranscript, result: openedTranscriptSchema },
  /** The last snapshot at or before `atMs`; playing the events from its position to `atMs` gives the screen of that moment. */
  'transcripts.seek': { params: onTranscript.extend({ atMs: z.number().min(0) }), result: snapshotSchema },
  /**
   * Events from `position` on, at most READ_MAX_BYTES of them; `next` null at the end. `end`: the place behind them, where a
   * transcript goes on that has grown since.
   */
  'transcripts.read': {
    params: onTranscript.extend({ position: z.number().int().min(0) }),
    result: z.object({
      events: z.array(replayEventSchema),
      next: z.number().int().nullable(),
      end: z.number().int(),
    }),
  },
  /** Final text from line `from` on. */
  'transcripts.text': {
    params: onTranscript.extend({
      from: z.number().int().min(0),
      count: z.number().int().min(1).max(TEXT_LINES_MAX),
    }),
    result: z.object({ lines: z.array(textLineSchema), total: z.number().int() }),
  },
  /** Every line of one transcript that contains `search`, for stepping through hits. */
  'transcripts.find': {
    params: onTranscript.extend({ search: z.string().min(1).max(SEARCH_MAX_CHARS) }),
    result: z.object({ hits: z.array(textLineSchema), more: z.boolean() }),
  },
  /** The moments of a session, of a request or of a receipt, wherever they are. Empty where nothing was recorded. */
  'transcripts.moments': {
    params: z.union([
      z.object({ sessionId: z.string().max(128) }),
      z.object({ approvalId: z.uuid() }),
      z.object({ receiptId: z.uuid() }),
    ]),
    result: z.object({
      moments: z.array(z.object({ transcriptId: transcriptIdSchema, moment: momentSchema })),
    }),
  },
  /**
   * Makes an export and says what it holds; its bytes are read with `transcripts.piece`. By `exportId`, a new one, the export is
   * known while it is being made; the host chooses one when it is left out. Rejects: redaction-invalid, export-cancelled.
   */
  'transcripts.export': {
    params: onTranscript.extend({
      exportId: z.uuid().optional(),
      format: exportFormatSchema,
      redactions: z.array(redactionSchema).max(REDACTION.patternsMax).default([]),
      withInput: z.boolean().default(false),
    }),
    result: exportReportSchema,
  },
  /** How far an export is that is being made. Rejects with export-unknown when none of this id is. */
  'transcripts.progress': { params: onExport, result: exportProgressSchema },
  /** Stops an export that is being made, or forgets one that is kept; nothing of it stays. Does nothing for another id. */
  'transcripts.cancel': { params: onExport, result: none },
  /** Base64 of the export from `offset`; empty at its end. The host forgets an export EXCHANGE.keptMs after it was last read. */
  'transcripts.piece': {
    params: onExport.extend({ offset: z.number().int().min(0) }),
    result: z.object({ base64: piece }),
  },
  /** A foreign `.cast` (v1, v2, v3), piece by piece; the last one makes the transcript. Rejects: import-invalid (line and why). */
  'transcripts.import': {
    params: z.object({
      importId: z.uuid(),
      fileName: z.string().max(255),
      offset: z.number().int().min(0),
      base64: piece,
      last: z.boolean(),
    }),
    result: z.object({ transcript: transcriptSummarySchema.nullable() }),
  },
  /** Deletes finished transcripts for good, and records it in the audit log. Rejects: transcript-running. */
  'transcripts.delete': {
    params: z.object({ ids: z.array(transcriptIdSchema).min(1).max(10_000) }),
    result: z.object({ deleted: z.number().int(), bytes: z.number().int() }),
  },
  /** What the rules of the settings would delete now. Nothing is touched. */
  'transcripts.retention': { params: none, result: retentionPreviewSchema },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;
