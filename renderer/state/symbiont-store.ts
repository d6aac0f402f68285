import { create } from 'zustand';
import type { SymbiontRuntime, SymbiontStatus } from '../../shared/governed/symbiont.ts';

interface SymbiontStore {
  /** Null until the host has said how it goes, and again when the connection is lost. */
  readonly runtimes: readonly SymbiontRuntime[] | null;
}

export const useSymbiont = create<SymbiontStore>(() => ({ runtimes: null }));

/** How it goes with the runtime of a profile; null when that is not known. */
export function statusOf({ runtimes }: SymbiontStore, profileId: string): SymbiontStatus | null {
  return runtimes?.find((runtime) => runtime.profileId === profileId)?.status ?? null;
}
