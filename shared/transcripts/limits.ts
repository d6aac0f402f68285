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

/**
 * Bytes of a recording between two lines that say the time, and how far a reader looks back for one: further than one block
 * of the recorder with the longest event in it.
 */
export const CLOCK = { everyBytes: 64 * KIB, lookBackBytes: 1 * MIB } as const;

/**
 * How a recorder gathers: bytes of one batch, milliseconds that a batch waits for more, microseconds within which output is
 * one event, and what a batch and an event cost in the queue besides their bytes.
 */
export const RECORDER_BATCH = {
  maxBytes: 128 * KIB,
  waitMs: 20,
  oneEventUs: 1_000,
  costBytes: 512,
  eventCostBytes: 128,
} as const;
/** Bytes of lines that the recorder writes at once. */
export const RECORDER_WRITE_BYTES = 256 * KIB;
/** Bytes kept free for the words that say why a recording stopped, and how the session ended. */
export const RECORDER_RESERVE_BYTES = 8 * KIB;
/** Milliseconds that the end of a host waits for what is not written yet. */
export const RECORDER_CLOSE_DEADLINE_MS = 5_000;

/** Output bytes between two snapshots: what a seek has to play at most, about 50 ms of parsing. */
export const SNAPSHOT_EVERY_BYTES = 1 * MIB;
/**
 * Lines above the screen that a replaying terminal keeps, so that a snapshot holds all that it has; characters of a snapshot:
 * one that is larger is made without the text of those lines.
 */
export const SNAPSHOT = { scrollbackLines: 200, maxChars: 200_000 } as const;
/** Columns and rows of a replaying terminal; a larger recorded size is replayed at these. 12 bytes a cell, twice. */
export const REPLAY_SIZE_MAX = { cols: 1_000, rows: 400 } as const;

/** Bytes of events as JSON in one `transcripts.read` answer, and lines in one `transcripts.text` answer. Invariant: a message holds it. */
export const READ_MAX_BYTES = 256 * KIB;
export const TEXT_LINES_MAX = 1_000;
/** Characters of one line of text as it is indexed; the rest of a longer one is not searched. */
export const INDEXED_LINE_MAX_CHARS = 4_096;

/**
 * Text that did not scroll away but was wiped out (a cleared screen, a full-screen program): lines that a transcript keeps of
 * it at once, and per second of the recording. Real screens stay below; a program that draws frames does not fill the index.
 */
export const WIPED_LINES = { burst: 4_000, perSecond: 50 } as const;

/** UTF-16 units of text, and lines, that are stored and searched as one: what looking into a candidate costs. */
export const TEXT_BLOCK = { chars: 64 * 1024, lines: 1_000 } as const;
/**
 * What a thread of its own stores: characters of an addition from which on it is worth the way, characters that may wait for it,
 * and milliseconds that one may take.
 */
export const ASIDE = { minChars: 512 * KIB, maxChars: 4 * MIB, deadlineMs: 30_000 } as const;

/**
 * Milliseconds of indexing at once, and how many times as long it rests, up to a bound: while sessions run, and while one of them
 * floods, by the bytes that were recorded since the slice before. A flood needs both cores of a small machine.
 */
export const INDEX_SLICE_MS = 20;
export const INDEX_REST = { whileRunning: 4, inFlood: 60, floodBytes: 256 * KIB, maxMs: 2_000 } as const;
/** Milliseconds: what a search may look at beyond its page; and at all, where nothing tells beforehand what to look at. */
export const SEARCH_MS = { counting: 80, scanning: 1_500 } as const;
/** Milliseconds between looks for recordings of other hosts, and between two events that say that lists are out of date. */
export const LIBRARY_SCAN_MS = 5_000;
export const LIBRARY_CHANGED_MS = 500;
/** Milliseconds from the first recording of a host to the start of indexing: a host that starts has other things to do. */
export const LIBRARY_START_MS = 2_000;

/** Transcripts in one `transcripts.list` answer, hits shown of each, characters of context of a hit. */
export const LIST = { pageMax: 100, hitsPerTranscript: 5, hitChars: 200 } as const;
/** Characters of a search. */
export const SEARCH_MAX_CHARS = 200;
/** Moments of one transcript that its timeline gets; the first and the last half of a longer list. */
export const MOMENTS_MAX = 2_000;
/** Markers of one transcript that are indexed: a foreign file may hold millions. What Airlock itself says is indexed always. */
export const MARKERS_INDEXED_MAX = 10_000;

/** Redaction: patterns, characters of one, characters of one removed text that is listed. */
export const REDACTION = {
  patternsMax: 32,
  patternMaxChars: 500,
  shownMaxChars: 80,
  listedMax: 500,
} as const;
/** Bytes of a file that is imported. */
export const IMPORT_MAX_BYTES = 256 * MIB;
/**
 * Threads that make exports and imports at once, exports and unfinished imports that are kept, milliseconds for which one is
 * kept that nobody reads or sends on (a page that is hidden has its timers once a minute), and MiB of JavaScript memory of a
 * thread.
 */
export const EXCHANGE = {
  threads: 2,
  kept: 8,
  keptMs: 300_000,
  memoryMiB: 2_048,
  /** What is not made by then is given up, so that nobody's patterns keep the threads for ever. */
  deadlineMs: 300_000,
} as const;
/** Bytes of one piece of an export or import that goes over the protocol. */
export const PIECE_MAX_BYTES = 256 * KIB;
