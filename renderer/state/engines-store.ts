import { create } from 'zustand';
import type { EngineKind, EngineStatus } from '../../shared/terminal/engine-status.ts';

interface EnginesStore {
  /** Null until the host has probed them. */
  readonly engines: readonly EngineStatus[] | null;
  readonly probing: boolean;
  readonly error: string | null;
}

export const useEngines = create<EnginesStore>(() => ({ engines: null, probing: false, error: null }));

export function engineOf(engines: readonly EngineStatus[] | null, kind: EngineKind): EngineStatus | null {
  return engines?.find((engine) => engine.kind === kind) ?? null;
}
