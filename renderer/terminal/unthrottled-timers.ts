import { type Disposable, toDisposable } from '../../shared/disposable.ts';

/** Browsers number their timers from 1; ours start where no page gets to. */
const FIRST_ID = 2 ** 40;

type Globals = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout' | 'MessageChannel'>;

/**
 * Lets timers without a delay run at once while the page is hidden (B31). Browsers let a hidden page's timers fire once a
 * second, and xterm continues its parsing by such timers: output would be acknowledged that slowly, and its program held
 * up. Messages of a channel are not held back, so they carry those timers. Timers with a delay, and all timers of a
 * visible page, stay the browser's.
 */
export function unthrottleTimers(isHidden: () => boolean, globals: Globals = globalThis): Disposable {
  const { setTimeout: browserSet, clearTimeout: browserClear } = globals;
  const { port1, port2 } = new globals.MessageChannel();
  const waiting = new Map<number, () => void>();
  let lastId = FIRST_ID;

  port1.onmessage = () => {
    const [first] = waiting;
    if (first === undefined) return;
    waiting.delete(first[0]);
    first[1]();
  };
  const set = (handler: TimerHandler, delay?: number, ...args: unknown[]) => {
    if (typeof handler !== 'function' || (delay ?? 0) > 0 || !isHidden()) {
      return browserSet(handler as () => void, delay, ...args);
    }
    lastId += 1;
    waiting.set(lastId, () => handler(...args));
    port2.postMessage(null);
    return lastId;
  };
  const clear = (id?: number) => {
    // Its message still comes, and runs the timer after it early: the order among the others stays.
    if (id === undefined || !waiting.delete(id)) browserClear(id);
  };
  globals.setTimeout = Object.assign(set, browserSet) as typeof globalThis.setTimeout;
  globals.clearTimeout = clear as typeof globalThis.clearTimeout;
  return toDisposable(() => {
    globals.setTimeout = browserSet;
    globals.clearTimeout = browserClear;
    port1.close();
  });
}
