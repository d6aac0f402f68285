/** Every bound of transcripts: unit and source. */
const KIB = 1024;
const MIB = 1024 * KIB;

/** Bytes of one `.cast` file of a session; the next one goes on where it ends (DESIGN 8). */
export const SEGMENT_MAX_BYTES = 32 * MIB;

/** Bytes that a recorder may hold that are not written yet; when a disk is slower than that, recording stops and says so. */
export const RECORDER_QUEUE_MAX_BYTES = 16 * MIB;

/** Bytes of one line of a `.cast` file; a longer one is skipped as damaged. Output is cut into events far below it. */
export const CAST_LINE_MAX_BYTES = 4 * MIB;
/** Output bytes in one recorded event. */
export const CAST_EVENT_MAX_BYTES = 64 * KIB;

/** Output bytes between two snapshots: what a seek has to play at most, about 50 ms of parsing. */
export const SNAPSHOT_EVERY_BYTES = 1 * MIB;
/** Lines above the screen that a snapshot keeps, and characters of one; a larger one is made without those lines. */
export const SNAPSHOT = { scrollbackLines: 500, maxChars: 400_000 } as const;

/** Bytes of events as JSON in one `transcripts.read` answer, and lines in one `transcripts.text` answer. Invariant: a message holds it. */
export const READ_MAX_BYTES = 256 * KIB;
export const TEXT_LINES_MAX = 1_000;
/** Characters of one line of text as it is indexed; the rest of a longer one is not searched. */
export const INDEXED_LINE_MAX_CHARS = 4_096;

/** Transcripts in one `transcripts.list` answer, hits shown of each, characters of context of a hit. */
export const LIST = { pageMax: 100, hitsPerTranscript: 5, hitChars: 200 } as const;
/** Characters of a search. */
export const SEARCH_MAX_CHARS = 200;
/** Moments of one transcript that its timeline gets; the first and the last half of a longer list. */
export const MOMENTS_MAX = 2_000;

/** Redaction: patterns, characters of one, characters of one removed text that is listed. */
export const REDACTION = { patternsMax: 32, patternMaxChars: 500, shownMaxChars: 80, listedMax: 500 } as const;
/** Bytes of a file that is imported. */
export const IMPORT_MAX_BYTES = 256 * MIB;
/** Bytes of one piece of an export or import that goes over the protocol. */
export const PIECE_MAX_BYTES = 256 * KIB;
