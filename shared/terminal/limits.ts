/**
 * Every bound of the terminal path, in one place. Each says its unit and where it comes from.
 * Where two numbers depend on each other the invariant stands in the comment.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Character cells. `struct winsize` holds unsigned 16-bit values, and zero is never valid (ST-5). */
export const TERMINAL_SIZE = { min: 1, max: 65_535 } as const;

/**
 * Output bytes sent to a client and not yet parsed by its xterm (DESIGN 3): a PTY is paused when they are more than the
 * client wants ahead, and read again at `resumeShare` of that. The client wants `high` at first. It wants less, but not
 * below `low`, when output waits longer than `waitMs` milliseconds with it: the prompt after an interrupted program comes
 * behind that output, and bytes of some programs take ten times as long as those of others (B30). It wants `growth` times
 * as much when it runs out of output.
 */
export const OUTPUT_CREDIT = {
  high: 512 * KIB,
  low: 32 * KIB,
  waitMs: 25,
  growth: 1.5,
  resumeShare: 0.75,
} as const;

/**
 * Output bytes that a page gives to xterm at one time. A slice that takes longer than `longMs` to parse makes the next
 * shorter in that proportion, down to `minBytes`, so that costly output cannot hold up the other panes of the page (B30).
 * Slices are measured from the second of a burst on, so the first is at most `firstBytes`: one of resets (ESC c), the
 * costliest there is since counts are bounded, takes some 100 ms.
 */
export const OUTPUT_SLICE = {
  firstBytes: 512,
  maxBytes: 16 * KIB,
  minBytes: 64,
  longMs: 8,
} as const;

/**
 * While output waits to be parsed, drawing takes at most this share of the page's time, and frames are at most `maxWaitMs`
 * milliseconds apart (B30). When all is parsed and more was expected, it gets `expectMs` milliseconds to come.
 */
export const FRAME_PACE = { share: 1 / 8, maxWaitMs: 100, expectMs: 16 } as const;

/** Bytes of input accepted and not yet written to the PTY, per session; more is refused (ST-3). */
export const INPUT_QUEUE_MAX_BYTES = 8 * MIB;

/** Bytes that a chunk of queued input counts besides its payload: what keeping it costs, so that tiny ones are bounded too. */
export const INPUT_CHUNK_COST_BYTES = 256;

/** Bytes in one `input` frame. A longer paste is sent in several. Invariant: <= INPUT_QUEUE_MAX_BYTES. */
export const INPUT_FRAME_MAX_BYTES = 64 * KIB;

/** Bytes in one paste. Invariant: <= INPUT_QUEUE_MAX_BYTES / 2, so that typing still fits behind it. */
export const PASTE_MAX_BYTES = 4 * MIB;

/** Bytes of one line that Linux's terminal gives to a program reading whole lines; the rest is lost (B12, N_TTY_BUF_SIZE − 1). */
export const LINE_MAX_BYTES = 4_095;

/** Bytes in one control message (JSON text) in either direction. Settings are the largest. */
export const CONTROL_MESSAGE_MAX_BYTES = 1 * MIB;

/** Bytes of a shell's /out, in memory: what it puts there can be published (DESIGN 7). */
export const OUT_FOLDER_BYTES = 256 * MIB;

/** Sessions open at one time in one host. */
export const SESSIONS_MAX = 64;

/** What earlier hosts left that a page is told of at one time. */
export const RECOVERY_NOTICES_MAX = 16;

/** Milliseconds for an engine's answer to whether it can be used. */
export const PROBE_DEADLINE_MS = 10_000;

/** Milliseconds an engine may take from `open` to a committed session (ST-6). */
export const OPEN_DEADLINE_MS = 15_000;

/**
 * Milliseconds of each step of the release (ST-24). The graces follow SIGHUP and SIGTERM; `removal` bounds
 * the confirmation that nothing of the sandbox is left.
 */
export const RELEASE = { hangupGraceMs: 400, terminateGraceMs: 400, removalMs: 5_000 } as const;

/** Milliseconds the host reads what a PTY still holds after its program ended (ST-21). */
export const DRAIN_DEADLINE_MS = 2_000;

/**
 * Milliseconds after which a session stops waiting for its engine's release and needs attention (ST-25).
 * Invariant: more than the three of RELEASE and DRAIN_DEADLINE_MS together.
 */
export const RELEASE_DEADLINE_MS = 10_000;

/**
 * Milliseconds a desktop that quits waits for its sessions before the process ends regardless; what is left then is ended
 * by the next start (ST-26). Invariant: more than a release with its drain and than the governed CLOSE_DEADLINE_MS, which
 * go on side by side, and RECORDER_CLOSE_DEADLINE_MS after them, with room for the audit log.
 */
export const QUIT_DEADLINE_MS = 30_000;

/** Milliseconds before each further try of a resize that the engine refused; then it has failed (B05). */
export const RESIZE_RETRY_DELAYS_MS = [50, 100, 200, 400] as const;

/** Characters of a window title after cleaning, and the least milliseconds between two updates (B15). */
export const TITLE = { maxChars: 200, minIntervalMs: 100 } as const;

/** Bytes of decoded text in one OSC 52 clipboard write (B13). */
export const CLIPBOARD_WRITE_MAX_BYTES = 100 * KIB;

/** Milliseconds between two clipboard writes of a program that may write without being asked; the last one counts (B13). */
export const CLIPBOARD_WRITE_MIN_INTERVAL_MS = 250;

/** Characters of a link target; longer ones are inert (B14). */
export const LINK_MAX_CHARS = 2_048;

/**
 * Marked places (links, found text) in one terminal beyond which the oldest are given up. Each costs time for every line
 * that scrolls out of the scrollback (B30).
 */
export const LINK_MARKERS_MAX = 1_024;

/** Marked lines of one link, of those: it can be opened until the last of them has left the scrollback. */
export const LINK_LINES_MAX = 8;

/**
 * Rows of one wrapped line that are searched as a whole; a longer line is searched in pieces, and what lies across two
 * of them is not found. The search takes the square of this for a line that fills the scrollback (B30).
 */
export const FIND_LINE_MAX_ROWS = 16;

/** Code points that join the first one in a cell; more stand in cells of their own (B30). The longest emoji has 10. */
export const CELL_JOINS_MAX = 12;

/** Characters of an OSC or DCS sequence beyond which it is dropped; xterm keeps 10 million. Holds a whole clipboard write. */
export const SEQUENCE_MAX_CHARS = 256 * KIB;

/** Characters of one setting of palette colours (OSC 4) beyond which it is dropped: the whole palette takes 6 KiB (B30). */
export const PALETTE_MAX_CHARS = 8 * KIB;

/** Terminals drawn with WebGL at one time. Browsers take the oldest context away beyond 16 in a page. */
export const WEBGL_CONTEXTS_MAX = 8;

/** Milliseconds between two marks of the bell. */
export const BELL_MIN_INTERVAL_MS = 200;

/** Milliseconds a client has for its `hello` after the link opened. */
export const HELLO_DEADLINE_MS = 5_000;

/**
 * Liveness of a link that can die silently (B27). Every `intervalMs` in which nothing arrived counts as missed;
 * `missedMax` in a row end the connection. Invariant: (missedMax + 1) * intervalMs <= 30 s. Intervals are counted,
 * not clock time, so that a host that slept first asks and then judges.
 */
export const LIVENESS = { intervalMs: 8_000, missedMax: 2 } as const;

/** Requests of one connection that are not answered yet; more are refused. */
export const REQUESTS_IN_FLIGHT_MAX = 128;

/**
 * Output put together into one frame. The kernel hands out at most 4 KiB of a PTY at a time, and each frame costs the
 * page a task of its own. A chunk of at least `floodChunkBytes` announces more: it waits up to `waitMs` milliseconds
 * for company, until there are `maxBytes`. A smaller one, such as an echo, ends the waiting.
 */
export const OUTPUT_FRAME = { maxBytes: 64 * KIB, floodChunkBytes: 2 * KIB, waitMs: 2 } as const;

/**
 * Bytes sent to one client and not yet taken by its socket; a client that lets more pile up is ended.
 * Invariant: > SESSIONS_MAX * OUTPUT_CREDIT.high, so that output never reaches it where credit is given for what was read.
 */
export const CARRIER_BUFFER_MAX_BYTES = 48 * MIB;

/** Client connections of one headless host at one time: signed in, and still on their way to it. */
export const CONNECTIONS_MAX = { signedIn: 32, greeting: 16 } as const;

/**
 * Sign-in on the headless host. Tokens and keys are 32 random bytes. A wrong one is answered after `failureDelayMs`
 * while it occupies one of the CONNECTIONS_MAX.greeting places: together they bound the rate of guesses.
 */
export const SIGN_IN = { secretBytes: 32, openTokensMax: 8, keysMax: 64, failureDelayMs: 1_000 } as const;

/** Bytes of the settings file. Invariant: <= CONTROL_MESSAGE_MAX_BYTES / 2, so that it fits a message with room. */
export const SETTINGS_FILE_MAX_BYTES = 512 * KIB;

/** Problems of one settings file or message that are listed; the rest are counted. */
export const PROBLEMS_LISTED_MAX = 50;

/** Milliseconds between two links that the host opens: a second click on the same link opens nothing (B14). */
export const LINK_OPEN_MIN_INTERVAL_MS = 500;

/** Bytes of input that a page hands to its socket before it waits for some of them to leave (B12). */
export const PAGE_SOCKET_BACKLOG_BYTES = 256 * KIB;

/**
 * The thread that holds a page's socket tells the page every `everyBytes` what has left, and looks again after `retryMs`
 * milliseconds while more is on its way. Invariant: everyBytes < PAGE_SOCKET_BACKLOG_BYTES, or the page would wait for ever.
 */
export const SOCKET_REPORT = { everyBytes: 64 * KIB, retryMs: 8 } as const;

/**
 * Milliseconds by which a page finds a dead link (B27): every `tick` it looks; after `idle` without a word from the
 * host it asks, and waits `answer`. After a wake (a gap of `wakeGap` between two ticks, a page shown again, a network
 * back) it asks at once and waits `wakeAnswer`. Invariants: idle + answer + tick < 30 s, tick + wakeAnswer < 5 s.
 */
export const PAGE_LIVENESS = {
  tick: 1_000,
  idle: 10_000,
  answer: 10_000,
  wakeGap: 3_000,
  wakeAnswer: 3_500,
} as const;

/** Bytes of each small writable place of a sandbox that a profile does not size: /run and /dev/shm. */
export const SMALL_TMPFS_BYTES = 16 * MIB;

/** Characters of output without a line end that screen reader mode announces before it says that there is too much. */
export const ANNOUNCEMENT_MAX_CHARS = 4_000;

/** Bytes that are typed into a pane whose session is still opening, and are its first input: some lines. */
export const TYPED_AHEAD_MAX_BYTES = 4_096;

/** Replies of the terminal that wait for a suspended session, each some dozen bytes; what was on the way asks no more. */
export const HELD_REPLIES_MAX = 64;
