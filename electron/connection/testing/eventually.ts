import { vi } from 'vitest';

/** Waits until `holds` no longer throws; long enough for a busy machine. */
export function eventually<T>(holds: () => T): Promise<T> {
  return vi.waitFor(holds, { timeout: 20_000, interval: 10 }) as Promise<T>;
}
