/** What `airlock transcripts` answers with; docs/transcripts.md says them to people. */
export const TRANSCRIPTS_EXIT = {
  done: 0,
  nothingFound: 1,
  failed: 2,
  remaining: 3,
  interrupted: 130,
} as const;

/** An expected failure, in words. */
export class TranscriptsError extends Error {}
