import type { Clock } from './controller/clock.ts';

/**
 * A6: says whether an approval was used while it was good. Its first use counts: how long a disk takes from there to what it
 * allowed is not its age.
 */
export function usedInTime(clock: Clock, goodUntil: number): () => boolean {
  let used = false;
  return () => {
    used ||= clock.now() < goodUntil;
    return used;
  };
}
