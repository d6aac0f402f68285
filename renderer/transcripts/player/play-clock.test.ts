import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeSpeed, type PlayClock, skipIdle, timeAt, waitFor } from './play-clock.ts';

const clock: PlayClock = { atMs: 1_000, sinceMs: 50, speed: 2 };

describe('the clock of a player', () => {
  it('goes on at its speed', () => {
    expect(timeAt(clock, 50)).toBe(1_000);
    expect(timeAt(clock, 150)).toBe(1_200);
  });

  it('is never turned back by a steady clock that falls (B27)', () => {
    expect(timeAt(clock, 0)).toBe(1_000);
  });

  it('keeps its moment when its speed changes', () => {
    const faster = changeSpeed(clock, 150, 8);
    expect(timeAt(faster, 150)).toBe(1_200);
    expect(timeAt(faster, 160)).toBe(1_280);
  });

  it('skips a wait once it was shown for as long as it may be', () => {
    const neighbours = { lastMs: 1_000, nextMs: 60_000 };
    expect(skipIdle(clock, 1_049, neighbours, 2_000)).toBe(clock);
    expect(skipIdle(clock, 1_050, neighbours, 2_000)).toEqual({ atMs: 60_000, sinceMs: 1_050, speed: 2 });
    expect(skipIdle(clock, 1_050, neighbours, null)).toBe(clock);
  });

  it('skips nothing of a wait that is short', () => {
    expect(skipIdle(clock, 9_999, { lastMs: 1_000, nextMs: 2_500 }, 2_000)).toBe(clock);
  });

  it('after the time it says to wait, an event is due or a wait is skipped', () => {
    const ms = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(
        ms,
        ms,
        ms,
        fc.constantFrom(0.5, 1, 4, 16),
        fc.option(fc.integer({ min: 100, max: 10_000 })),
        (at, now, gap, speed, idleMs) => {
          const playing = { atMs: at, sinceMs: now, speed };
          const neighbours = { lastMs: at, nextMs: at + gap };
          const later = now + waitFor(playing, now, neighbours, idleMs) + 0.001;
          const reached = timeAt(skipIdle(playing, later, neighbours, idleMs), later);
          expect(reached).toBeGreaterThanOrEqual(neighbours.nextMs - 0.000_001);
          expect(later - now).toBeLessThanOrEqual((idleMs ?? gap) / speed + 0.002 + gap / speed);
        },
      ),
    );
  });
});
