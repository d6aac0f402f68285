/**
 * Every bound of the terminal path, in one place. Each says its unit and where it comes from.
 * Where two numbers depend on each other the invariant stands in the comment.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Character cells. `struct winsize` holds unsigned 16-bit values, and zero is never valid (ST-5). */
export const TERMINAL_SIZE = { min: 1, max: 65_535 } as const;

/**
 * Output bytes sent to a client and not yet parsed by its xterm (DESIGN 3).
 * Above `high` the PTY is paused, at or below `low` it is resumed. Invariant: low + ackEvery <= high,
 * so that a client that acknowledges on every `ackEvery` parsed bytes always brings a paused PTY back.
 */
export const OUTPUT_CREDIT = { high: 384 * KIB, low: 128 * KIB, ackEvery: 64 * KIB } as const;

/** Bytes of input accepted and not yet written to the PTY, per session; more is refused (ST-3). */
export const INPUT_QUEUE_MAX_BYTES = 8 * MIB;

/** Bytes in one `input` frame. A longer paste is sent in several. Invariant: <= INPUT_QUEUE_MAX_BYTES. */
export const INPUT_FRAME_MAX_BYTES = 64 * KIB;

/** Bytes in one paste. Invariant: <= INPUT_QUEUE_MAX_BYTES / 2, so that typing still fits behind it. */
export const PASTE_MAX_BYTES = 4 * MIB;

/** Bytes in one control message (JSON text) in either direction. Settings are the largest. */
export const CONTROL_MESSAGE_MAX_BYTES = 1 * MIB;

/** Sessions open at one time in one host. */
export const SESSIONS_MAX = 64;

/** Milliseconds an engine may take from `open` to a committed session (ST-6). */
export const OPEN_DEADLINE_MS = 15_000;

/**
 * Milliseconds of each step of the release (ST-24). The graces follow SIGHUP and SIGTERM; `removal` bounds
 * the confirmation that nothing of the sandbox is left.
 */
export const RELEASE = { hangupGraceMs: 400, terminateGraceMs: 400, removalMs: 5_000 } as const;

/** Milliseconds the host reads what a PTY still holds after its program ended (ST-21). */
export const DRAIN_DEADLINE_MS = 2_000;

/** Characters of a window title after cleaning, and the least milliseconds between two updates (B15). */
export const TITLE = { maxChars: 200, minIntervalMs: 100 } as const;

/** Bytes of decoded text in one OSC 52 clipboard write (B13). */
export const CLIPBOARD_WRITE_MAX_BYTES = 100 * KIB;

/** Characters of a link target; longer ones are inert (B14). */
export const LINK_MAX_CHARS = 2_048;
