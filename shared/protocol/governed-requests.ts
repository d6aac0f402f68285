import { z } from 'zod';
import { approvalQueueSchema } from '../governed/approval.ts';
import { commandCheckSchema, commandReplySchema, commandRequestSchema } from '../governed/call.ts';
import { FILE_GRANTS, OUT_FILES_LISTED_MAX, PUBLICATIONS_LISTED_MAX } from '../governed/limits.ts';
import { loadedManifestSchema, manifestCatalogSchema } from '../governed/manifest.ts';
import { publicationSchema } from '../governed/receipt.ts';
import {
  auditCheckSchema,
  outFileSchema,
  policiesShownSchema,
  publicationCheckSchema,
} from '../governed/verification.ts';
import { terminalSizeSchema } from '../terminal/size.ts';
import { hostPathSchema, openedSessionSchema, sessionIdSchema } from './session-shapes.ts';

const none = z.object({});
const onSession = z.object({ sessionId: sessionIdSchema });
const onPublication = z.object({ id: z.uuid() });

/** CSS pixels of the window's page; no screen is larger. */
const pixels = z.number().int().min(0).max(65_535);
const rectangleSchema = z.object({ x: pixels, y: pixels, width: pixels, height: pixels });
export type Rectangle = z.infer<typeof rectangleSchema>;

/** Relative to /out, as a person picked it. */
const outPathSchema = z
  .string()
  .min(1)
  .max(FILE_GRANTS.pathMaxBytes)
  .refine((path) => !path.includes('\0'), { message: 'must not contain a NUL character' });

/** The queue and the host's clock when it was sent: pages count down by the difference, whatever their own clock says. */
export const approvalQueueViewSchema = approvalQueueSchema.extend({ now: z.string() });
export type ApprovalQueueView = z.infer<typeof approvalQueueViewSchema>;

/** Governed sessions, approvals, publications. No verb here decides an approval: the approval page's own does (DESIGN 6). */
export const governedRequests = {
  /** Every manifest of the built-in examples, the user's folder and, if one is named, the project's `tools/`. */
  'manifests.list': {
    params: z.object({ project: hostPathSchema.optional() }),
    result: manifestCatalogSchema,
  },
  /**
   * Opens a governed session of the manifest whose file has this digest now, on the engine, network and limits of a saved
   * profile. `project` is the root of its file grants in place of the profile's. Commands go through `governed.run`;
   * output comes on the channel; input frames are refused.
   * Rejects: manifest-unknown, profile-unknown, engine-unavailable, open-failed, open-timed-out, too-many-sessions.
   */
  'governed.open': {
    params: z.object({
      profileId: z.string().max(64),
      size: terminalSizeSchema,
      manifestDigest: z.string().regex(/^[0-9a-f]{64}$/, { message: 'must be a SHA-256 in lower-case hex' }),
      project: hostPathSchema.optional(),
    }),
    result: openedSessionSchema.extend({ manifest: loadedManifestSchema }),
  },
  /** Says what `governed.run` would send or why it would refuse; touches nothing. Rejects: session-unknown. */
  'governed.check': {
    params: z.object({ sessionId: sessionIdSchema, request: commandRequestSchema }),
    result: commandCheckSchema,
  },
  /**
   * Runs one command: check, policy, approval if it needs one, dispatch, and for a finalizing one the publication.
   * Resolves with its reply when it is over, minutes later if a person must decide.
   * Rejects: session-unknown, or governed-refused with a `GovernedFailure` as details.
   */
  'governed.run': {
    params: z.object({ sessionId: sessionIdSchema, request: commandRequestSchema }),
    result: commandReplySchema,
  },
  /** Takes an open question away (A9: the session lives on), or stops a running command and with it the session (X37). */
  'governed.cancel': { params: onSession, result: none },
  /** What waits for a decision and what became of the last ones; never a payload. */
  'approvals.queue': { params: none, result: approvalQueueViewSchema },
  /**
   * Desktop: where in the window the approval view is to be, and null to take it away (also while a dialog of the page is
   * open, which the view would cover). `show`: the request that it shows first. Never moves the focus.
   * Rejects: not-available-here.
   */
  'approvals.place': {
    params: z.object({ place: rectangleSchema.nullable(), show: z.uuid().optional() }),
    result: none,
  },
  /** Desktop: a person asked by key to go to the open decision; the view gets the focus. Rejects: not-available-here. */
  'approvals.focus': { params: none, result: none },
  /**
   * Headless: the address of the approval page on its own origin, for a frame; `#ID` behind it names the request that it
   * shows first. It holds no credential: the page behind it has its own. Null on a desktop.
   */
  'approvals.address': { params: none, result: z.object({ address: z.url().max(2048).nullable() }) },
  /** Newest first, at most PUBLICATIONS_LISTED_MAX. */
  'publications.list': {
    params: none,
    result: z.object({ publications: z.array(publicationSchema).max(PUBLICATIONS_LISTED_MAX) }),
  },
  /**
   * "Publish…": seals one file of a shell's /out, asks for the approval and publishes it as the absolute path
   * `destination`, which must not exist. Resolves when that is over: published, or failed with the sealed file kept.
   * Rejects: session-unknown, no-out-folder, publication-refused (nothing was sealed, or a person said no).
   */
  'publication.begin': {
    params: z.object({ sessionId: sessionIdSchema, path: outPathSchema, destination: hostPathSchema }),
    result: publicationSchema,
  },
  /** Publishes the kept file of a failed publication elsewhere, after a new approval. Rejects as `publication.begin`. */
  'publication.retry': {
    params: z.object({ id: z.uuid(), destination: hostPathSchema }),
    result: publicationSchema,
  },
  /** Reads the receipt, its place in the audit log and the file again. Rejects: publication-unknown. */
  'publication.verify': { params: onPublication, result: publicationCheckSchema },
  /** Shows the file in the system's file manager. Rejects: publication-unknown, not-available-here on a headless host. */
  'publication.reveal': { params: onPublication, result: none },
  /** Checks the whole log, as `airlock verify` does. */
  'audit.verify': { params: none, result: auditCheckSchema },
  'policies.show': { params: none, result: policiesShownSchema },
  /**
   * Files below the /out of one shell, by name; `more` counts those left out. Rejects: session-unknown, no-out-folder.
   */
  'outfiles.list': {
    params: onSession,
    result: z.object({
      files: z.array(outFileSchema).max(OUT_FILES_LISTED_MAX),
      more: z.number().int().min(0),
    }),
  },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;
