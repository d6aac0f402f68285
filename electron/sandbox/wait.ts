import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two looks. */
const POLL_MS = 2;

/** Looks until there is something, or there will never be (null). For facts that nothing announces, as in /proc. */
export async function waitFor<T>(look: () => T | null, giveUp: () => boolean): Promise<T | null> {
  for (;;) {
    // Asked first: what was there before the end is still found by the look after it.
    const last = giveUp();
    const found = look();
    if (found !== null || last) return found;
    await delay(POLL_MS);
  }
}

/** Waits until `condition` holds; false when `limitMs` milliseconds passed first. */
export async function waitUntil(condition: () => boolean, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  const held = await waitFor(
    () => (condition() ? true : null),
    () => performance.now() >= deadline,
  );
  return held ?? false;
}

/** Whether `promise` settled within `limitMs` milliseconds. */
export async function settledWithin(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  const timer = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  const late = delay(limitMs, false, { signal: timer.signal }).catch(() => false);
  const result = await Promise.race([settled, late]);
  timer.abort();
  return result;
}
