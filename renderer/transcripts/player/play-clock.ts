/**
 * Where the player is in a transcript, as a function of a steady clock: it was at `atMs` when the steady clock said
 * `sinceMs`, and goes on from there at `speed`.
 */
export interface PlayClock {
  readonly atMs: number;
  readonly sinceMs: number;
  readonly speed: number;
}

/** The speeds that a person chooses from. */
export const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;

/** Waits longer than this are cut to it; null: every wait is as long as it was. */
export const IDLE_LIMITS_MS = [1_000, 2_000, 5_000, 10_000, null] as const;

/** What stands on either side of the present moment: when the last event was shown, and when the next one is. */
export interface Neighbours {
  readonly lastMs: number;
  readonly nextMs: number;
}

/** The moment of the transcript. A steady clock that falls all the same never turns it back (B27). */
export function timeAt({ atMs, sinceMs, speed }: PlayClock, nowMs: number): number {
  return atMs + Math.max(0, nowMs - sinceMs) * speed;
}

export function changeSpeed(clock: PlayClock, nowMs: number, speed: number): PlayClock {
  return { atMs: timeAt(clock, nowMs), sinceMs: nowMs, speed };
}

/** At the next event, where a wait has been shown for as long as it may be; else the clock as it was. */
export function skipIdle(
  clock: PlayClock,
  nowMs: number,
  { lastMs, nextMs }: Neighbours,
  idleMs: number | null,
): PlayClock {
  const time = timeAt(clock, nowMs);
  const isIdle = idleMs !== null && time < nextMs && time >= lastMs + idleMs;
  return isIdle ? { atMs: nextMs, sinceMs: nowMs, speed: clock.speed } : clock;
}

/** Milliseconds of the steady clock until the next event is due, or the wait before it has been long enough. */
export function waitFor(
  clock: PlayClock,
  nowMs: number,
  { lastMs, nextMs }: Neighbours,
  idleMs: number | null,
): number {
  const dueMs = idleMs === null ? nextMs : Math.min(nextMs, lastMs + idleMs);
  return Math.max(0, (dueMs - timeAt(clock, nowMs)) / clock.speed);
}
