import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Throttle } from './throttle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('passes the first at once and the last always (B15: 5000 titles in a second)', () => {
  const passed: number[] = [];
  const throttle = new Throttle<number>(100, (value) => passed.push(value));
  for (let i = 1; i <= 5_000; i += 1) {
    throttle.offer(i);
    if (i % 5 === 0) vi.advanceTimersByTime(1);
  }
  vi.runAllTimers();
  expect(passed[0]).toBe(1);
  expect(passed.at(-1)).toBe(5_000);
  expect(passed.length).toBeLessThanOrEqual(12);
});

it('keeps its interval whatever the gaps between values', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 300 })), (gaps) => {
      const passed: { at: number; value: number }[] = [];
      const throttle = new Throttle<number>(100, (value) => passed.push({ at: Date.now(), value }));
      for (const [value, gap] of gaps.entries()) {
        vi.advanceTimersByTime(gap);
        throttle.offer(value);
      }
      vi.runAllTimers();
      expect(passed.at(-1)?.value).toBe(gaps.length === 0 ? undefined : gaps.length - 1);
      for (let i = 1; i < passed.length; i += 1) {
        expect((passed[i]?.at ?? 0) - (passed[i - 1]?.at ?? 0)).toBeGreaterThanOrEqual(100);
      }
    }),
  );
});

it('passes nothing after it was disposed', () => {
  const passed: number[] = [];
  const throttle = new Throttle<number>(100, (value) => passed.push(value));
  throttle.offer(1);
  throttle.offer(2);
  throttle.dispose();
  vi.runAllTimers();
  expect(passed).toEqual([1]);
});
