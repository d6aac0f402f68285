import { z } from 'zod';

/** Every error tag that can cross a connection. Tags are stable; messages are for people. */
export const errorTagSchema = z.enum([
  // the connection
  'protocol-mismatch',
  'not-authenticated',
  'connection-lost',
  'message-too-large',
  'malformed-message',
  'unknown-verb',
  'invalid-parameters',
  'too-many-requests',
  'host-closing',
  'internal',
  // sessions (ST-7)
  'session-unknown',
  'session-not-running',
  'session-suspended',
  'session-releasing',
  'route-refuses-input',
  'input-queue-full',
  'too-many-sessions',
  // opening
  'profile-unknown',
  'profile-invalid',
  'engine-unavailable',
  /** An engine's daemon or server answered no, or failed at what it was asked; the message says what it said. */
  'engine-refused',
  'pull-cancelled',
  /** What was asked of a smolvm server may or may not have been done. */
  'machine-uncertain',
  'open-failed',
  'open-timed-out',
  // engine operations
  'break-not-supported',
  'resize-failed',
  // settings and links
  'settings-invalid',
  'settings-not-saved',
  /** They are not what the change was made from; the snapshot of what they are has been told before. */
  'settings-changed',
  /** The token of a Symbiont runtime or a smolvm server could not be kept or removed. */
  'token-not-kept',
  'link-refused',
  'not-available-here',
  // governed sessions and publications
  'manifest-unknown',
  /** A command was refused or failed; details are a `GovernedFailure`. */
  'governed-refused',
  'no-out-folder',
  'publication-unknown',
  /** Nothing was published: nothing could be sealed, or a person said no; details may name `rule`. */
  'publication-refused',
  // transcripts
  'transcripts-unavailable',
  'transcript-unknown',
  'transcript-running',
  /** A pattern that is none; the message names it and says why. */
  'redaction-invalid',
  'export-unknown',
  'export-cancelled',
  /** A file that is no asciicast; the message names the line and says why. */
  'import-invalid',
]);
export type ErrorTag = z.infer<typeof errorTagSchema>;

/**
 * An expected failure. `message` is one or two sentences: what happened and what to do next. `details` names
 * fields and bounds for programs and logs; never secrets.
 */
export const taggedErrorSchema = z.object({
  tag: errorTagSchema,
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type TaggedError = z.infer<typeof taggedErrorSchema>;

export function taggedError(tag: ErrorTag, message: string, details?: Record<string, unknown>): TaggedError {
  return details === undefined ? { tag, message } : { tag, message, details };
}
