import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SENT_AGAIN_MS, TerminalResizer } from './resize.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const FIRST = { cols: 80, rows: 24 };
const LAST = { cols: 77, rows: 22 };
const ALL_MS = SENT_AGAIN_MS.reduce<number>((sum, ms) => sum + ms, 0);

function terminal(mayLoseSizes: boolean) {
  const asked: number[] = [];
  const end = Promise.withResolvers<void>();
  let failing = false;
  const resizer = new TerminalResizer({
    ask: async ({ cols }) => {
      asked.push(cols);
      if (failing) throw new Error('busy');
    },
    ended: end.promise,
    mayLoseSizes,
  });
  return {
    ...{ asked, resizer, end: end.resolve },
    fails: () => {
      failing = true;
    },
  };
}

it('ST-9 a size that a daemon may lose is sent again, and no other than the last', async () => {
  const { asked, resizer, fails } = terminal(true);
  await resizer.resize(FIRST);
  await resizer.resize(LAST);
  expect(asked).toEqual([80, 77]);
  fails();
  await vi.advanceTimersByTimeAsync(ALL_MS);
  expect(asked).toEqual([80, 77, 77, 77, 77]);
  await vi.advanceTimersByTimeAsync(10 * ALL_MS);
  expect(asked).toHaveLength(5);
  expect(vi.getTimerCount()).toBe(0);
});

it('a daemon that loses none is asked once', async () => {
  const { asked, resizer } = terminal(false);
  await resizer.resize(LAST);
  await vi.advanceTimersByTimeAsync(ALL_MS);
  expect(asked).toEqual([77]);
});

it('nothing is sent again to a terminal that has ended', async () => {
  const { asked, resizer, end } = terminal(true);
  await resizer.resize(LAST);
  end();
  await vi.advanceTimersByTimeAsync(ALL_MS);
  expect(asked).toEqual([77]);
});

it('B04 a size that fails as the program ends is no failure; another failure is, and so is an impossible size', async () => {
  const ending = terminal(true);
  ending.fails();
  ending.end();
  await ending.resizer.resize(LAST);
  const running = terminal(true);
  running.fails();
  const failed = expect(running.resizer.resize(LAST)).rejects.toThrow('busy');
  await vi.advanceTimersByTimeAsync(10_000);
  await failed;
  await expect(running.resizer.resize({ cols: 0, rows: 22 })).rejects.toThrow(RangeError);
});
