import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two looks. */
const POLL_MS = 2;

/** Waits until `condition` holds; false when `limitMs` milliseconds passed first. For facts that nothing announces. */
export async function waitUntil(condition: () => boolean, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() >= deadline) return false;
    await delay(POLL_MS);
  }
  return true;
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
