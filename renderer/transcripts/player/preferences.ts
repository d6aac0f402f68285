import { create } from 'zustand';

/** How a person likes to watch; kept for as long as the page lives. */
export interface PlayerPreferences {
  readonly speed: number;
  readonly idleMs: number | null;
  readonly text: boolean;
}

export const usePlayerPreferences = create<PlayerPreferences>(() => ({
  speed: 1,
  idleMs: 2_000,
  text: false,
}));
