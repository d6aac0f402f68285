import type { TerminalSize } from '../terminal/size.ts';

/** Every bound of governed sessions, approvals, publication and audit: unit and source (rule of the ToolClad reference). */
const KIB = 1024;
const MIB = 1024 * KIB;

/** Bytes of one manifest file; larger ones are not read. */
export const MANIFEST_MAX_BYTES = 256 * KIB;
/** Manifests listed per folder; the folder's rest is reported as a problem. */
export const MANIFESTS_MAX = 256;
/**
 * Bytes that one pattern may take to compile, alone and anchored together: about `\w{1,60}`. Every pattern of a loaded manifest stays
 * below this, so that the host can compile it when it is needed.
 */
export const PATTERN_MAX_BYTES = 32 * MIB;
/** The longest time in milliseconds that a timer of Node or the page can wait; longer ones would fire at once. */
export const TIMER_MAX_MS = 2_147_483_647;
/** Cedar policy files of a user, and bytes of one (C6). */
export const POLICY_FILES = { max: 64, maxBytes: 256 * KIB } as const;

/** Commands of one manifest. */
export const COMMANDS_MAX = 256;
/** Bytes of a startup command and of a command text (1.2, M10, X7, X11). */
export const COMMAND_MAX_BYTES = 64 * KIB;
/** Bytes of a `literal_text` argument (section 1.4). */
export const LITERAL_TEXT_MAX_BYTES = 32 * KIB;

/** `[session] max_interactions` (1.2). */
export const INTERACTIONS = { min: 1, max: 10_000 } as const;
/** `[session.interaction]` (1.2): bytes of one response, and the factor from `output_wait_ms` to the response time (E19). */
export const INTERACTION_OUTPUT = { maxBytes: 4 * MIB, waitFactor: 5 } as const;

/** `[filesystem]` (1.5, F1, F3). */
export const FILE_GRANTS = {
  inputsMax: 32,
  outputsMax: 1,
  fileMaxBytes: 16 * MIB,
  inputsTotalMaxBytes: 32 * MIB,
  pathMaxBytes: 4096,
} as const;
/** Stagings at one time and the bytes that they may reserve together (F6). */
export const STAGING_POOL = { stagings: 16, bytes: 1024 * MIB } as const;

/** Bytes of a file that "Publish…" takes from a shell's /out (DESIGN 7). */
export const SHELL_PUBLICATION_MAX_BYTES = 1024 * MIB;

/** A worker's terminal (E14). Not the page's: a watched terminal is never resized, and its rows are where a prompt begins. */
export const WORKER_SIZE: TerminalSize = { cols: 80, rows: 24 };
/** Sessions of one controller (E4) and remembered closed runs (E6). */
export const GOVERNED_SESSIONS_MAX = 16;
export const CLOSED_RUNS_MAX = 1024;
/** Commands that may wait behind the one that runs (E8). */
export const COMMAND_QUEUE_MAX = 1;
/** Bytes of output in a session's whole life, idle output included (E31). */
export const LIFETIME_OUTPUT_MAX_BYTES = 10 * MIB;
/**
 * Milliseconds without output after which a line that looks like the prompt is taken for it. Where the kernel happens to cut
 * the output must not decide whether a command is over (B19). Invariant: far below the 200 ms in which a prompt must be seen.
 */
export const PROMPT_SETTLE_MS = 20;
/** Characters of a line beyond which it is no prompt, so that matching costs little whatever a program prints. */
export const PROMPT_LINE_MAX_CHARS = 4096;
/** Bytes of a transcript; each entry costs its content and `entryCost` (T3). */
export const GOVERNED_TRANSCRIPT = { maxBytes: 4 * MIB, entryCost: 256 } as const;
/** Milliseconds in which a close waits for its sessions' acknowledgements (E45). */
export const CLOSE_DEADLINE_MS = 20_000;

/**
 * Approvals (A5, DESIGN 6). `armMs`: milliseconds that a request must be visible before it can be approved; `settleMs`: that
 * the approval page must have had the focus before a press counts; `hoverMs`: that the pointer must have been over Approve by
 * then, or else `holdMs`: that it must stay pressed. `listWaitMs`: how long a page waits for a change.
 */
export const APPROVAL = {
  waitMs: 120_000,
  waitMaxMs: 3_600_000,
  armMs: 1_500,
  pendingMax: 64,
  payloadMaxBytes: 256 * KIB,
  historyMax: 500,
  recentMax: 50,
  settleMs: 500,
  hoverMs: 250,
  holdMs: 600,
  reasonMaxChars: 500,
  /** Showings of one request that are remembered; the oldest is forgotten, and with it that it was read. */
  viewingsMax: 16,
  listWaitMs: 20_000,
} as const;

/**
 * A12: bytes of the JSON that can still be approved, rows of one list. A11: milliseconds between polls, at most that many while
 * it fails, at least that many after "too many requests" (100 a minute are allowed); of one call. `offeredMax`: held actions
 * of all runtimes that wait here at one time, so that they never take the place of Airlock's own.
 */
export const SYMBIONT = {
  shownMaxBytes: 64 * KIB,
  rowsMax: 1024,
  pollMs: 2_000,
  failingPollMaxMs: 30_000,
  limitedPollMs: 20_000,
  offeredMax: 32,
  callMs: 10_000,
  bodyMaxBytes: 8 * MIB,
} as const;
/** Milliseconds within which a decision is to be used for its call (A6). */
export const DECISION_LIFETIME_MS = 30_000;

/** Bytes of one line of the audit log. */
export const AUDIT_LINE_MAX_BYTES = 1 * MIB;

/** Publications in one answer to the page; older ones are in the audit log. */
export const PUBLICATIONS_LISTED_MAX = 500;
/** Files of /out in one answer to the page. */
export const OUT_FILES_LISTED_MAX = 500;
