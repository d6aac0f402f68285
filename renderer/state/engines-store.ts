import { create } from 'zustand';
import type { PullProgress } from '../../shared/protocol/engine-requests.ts';
import type { EngineKind, EngineStatus } from '../../shared/terminal/engine-status.ts';

/** An image on its way to the daemon of a profile, or why it did not come. */
export type PullState =
  | {
      readonly kind: 'running';
      readonly image: string;
      readonly progress: PullProgress | null;
      readonly cancel: () => void;
    }
  | { readonly kind: 'failed'; readonly image: string; readonly reason: string };

interface EnginesStore {
  /** Null until the host has probed them. */
  readonly engines: readonly EngineStatus[] | null;
  readonly probing: boolean;
  readonly error: string | null;
  /** By the profile's id, so that they go on while another page is looked at. */
  readonly pulls: Readonly<Record<string, PullState>>;
}

export const useEngines = create<EnginesStore>(() => ({
  engines: null,
  probing: false,
  error: null,
  pulls: {},
}));

/** Null takes it away. */
export function showPull(profileId: string, pull: PullState | null): void {
  useEngines.setState(({ pulls: { [profileId]: _, ...others } }) => ({
    pulls: pull === null ? others : { ...others, [profileId]: pull },
  }));
}

export function engineOf(engines: readonly EngineStatus[] | null, kind: EngineKind): EngineStatus | null {
  return engines?.find((engine) => engine.kind === kind) ?? null;
}
