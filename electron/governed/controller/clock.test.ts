import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('calls back once, when the time has come', () => {
  const rung = vi.fn();
  systemClock.at(systemClock.now() + 1_000, rung);
  vi.advanceTimersByTime(999);
  expect(rung).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5_000);
  expect(rung).toHaveBeenCalledTimes(1);
});

it('waits longer than a timer of Node can', () => {
  const rung = vi.fn();
  systemClock.at(systemClock.now() + 2 ** 33, rung);
  vi.advanceTimersByTime(2 ** 33 - 1);
  expect(rung).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2);
  expect(rung).toHaveBeenCalledTimes(1);
});

it('never rings for Infinity, nor after it was disposed', () => {
  const rung = vi.fn();
  systemClock.at(Number.POSITIVE_INFINITY, rung);
  systemClock.at(systemClock.now() + 10, rung).dispose();
  vi.advanceTimersByTime(100);
  expect(rung).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

it('B27 does not look at the wall clock', () => {
  const rung = vi.fn();
  systemClock.at(systemClock.now() + 1_000, rung);
  vi.setSystemTime(Date.now() + 86_400_000);
  vi.advanceTimersByTime(500);
  expect(rung).not.toHaveBeenCalled();
});
