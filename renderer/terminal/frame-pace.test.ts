import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FRAME_PACE } from '../../shared/terminal/limits.ts';
import { FrameCost, FramePace } from './frame-pace.ts';

/** Milliseconds that a frame takes in these tests. */
const FRAME_MS = 10;
const GAP_MS = FRAME_MS * (1 / FRAME_PACE.share - 1);

let asked: (FrameRequestCallback | null)[] = [];
let pace: FramePace;
let drawn: string[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  asked = [];
  drawn = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => asked.push(callback));
  vi.stubGlobal('cancelAnimationFrame', (id: number) => {
    asked[id - 1] = null;
  });
  const cost = new FrameCost();
  vi.advanceTimersByTime(1_000);
  cost.frame(performance.now() - FRAME_MS, performance.now());
  pace = new FramePace(cost);
});

afterEach(() => {
  pace.dispose();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const draw = (name: string) => pace.requestAnimationFrame(() => drawn.push(name));
const browserDraws = () => {
  for (const callback of asked.splice(0)) callback?.(0);
};

describe('FramePace (B30)', () => {
  it('draws in the next frame when no output waits, and answers with an id', () => {
    expect(draw('echo')).toBeGreaterThan(0);
    browserDraws();
    expect(drawn).toEqual(['echo']);
  });

  it('while output waits, leaves time between frames as they are slow', () => {
    pace.backlog = 'waiting';
    draw('flood');
    vi.advanceTimersByTime(GAP_MS - 1);
    expect(asked).toHaveLength(0);
    vi.advanceTimersByTime(1);
    browserDraws();
    expect(drawn).toEqual(['flood']);
  });

  it('draws at once when the output is all parsed', () => {
    pace.backlog = 'waiting';
    draw('flood');
    pace.backlog = 'none';
    browserDraws();
    expect(drawn).toEqual(['flood']);
  });

  it('waits a moment for output that is expected, and no longer', () => {
    pace.backlog = 'waiting';
    draw('flood');
    pace.backlog = 'expected';
    vi.advanceTimersByTime(FRAME_PACE.expectMs - 1);
    expect(asked).toHaveLength(0);
    pace.backlog = 'waiting';
    vi.advanceTimersByTime(1);
    expect(asked).toHaveLength(0);
    pace.backlog = 'expected';
    vi.advanceTimersByTime(FRAME_PACE.expectMs);
    expect(asked).toHaveLength(1);
  });

  it('draws nothing that was cancelled, held or asked for', () => {
    pace.backlog = 'waiting';
    draw('held');
    pace.cancelAnimationFrame();
    pace.backlog = 'none';
    draw('asked for');
    pace.cancelAnimationFrame();
    vi.advanceTimersByTime(1_000);
    browserDraws();
    expect(drawn).toEqual([]);
  });
});

describe('FrameCost', () => {
  it('allows the next frame after its share of time, at most the longest wait', () => {
    const cost = new FrameCost();
    cost.frame(100, 100 + FRAME_MS);
    expect(cost.nextAt).toBe(100 + FRAME_MS + GAP_MS);
    cost.frame(200, 1_200);
    expect(cost.nextAt).toBe(1_200 + FRAME_PACE.maxWaitMs);
  });
});
