import { useEffect, useRef, useState } from 'react';
import type { OpenedTranscript } from '../../../shared/transcripts/transcript.ts';
import { useServices } from '../../app/services.ts';
import { useSettings } from '../../state/settings-store.ts';
import type { Landing } from '../../state/transcripts-store.ts';
import { Player, type PlayerView } from './player.ts';
import { usePlayerPreferences } from './preferences.ts';
import { ReplayTerminal } from './replay-terminal.ts';
import { PAGE_TIMERS } from './timers.ts';

export interface Replay {
  readonly player: Player;
  readonly terminal: ReplayTerminal;
}

/** A player and its terminal for as long as the transcript is on the screen; null for the first moment. */
export function useReplay(transcript: OpenedTranscript): Replay | null {
  const { transcripts } = useServices();
  const { id, title, durationMs } = transcript;
  const [replay, setReplay] = useState<Replay | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one player for one transcript
  useEffect(() => {
    const { speed, idleMs } = usePlayerPreferences.getState();
    const terminal = new ReplayTerminal(useSettings.getState().settings, `Replay of ${title}, read only`);
    const options = { api: transcripts.api, transcript: { id, durationMs }, screen: terminal };
    const player = new Player({ ...options, timers: PAGE_TIMERS, speed, idleMs });
    setReplay({ player, terminal });
    return () => {
      player.dispose();
      terminal.dispose();
    };
  }, [id]);
  useEffect(() => replay?.player.extend(durationMs), [replay, durationMs]);
  useAppearance(replay);
  return replay;
}

/** Lands where a result, a link or a command leads. What was searched for is marked there. */
export function useLanding(replay: Replay | null, landing: Landing, durationMs: number): void {
  const end = useRef(durationMs);
  end.current = durationMs;
  useEffect(() => {
    if (replay === null) return;
    const { player, terminal } = replay;
    player.seek(landing.atMs ?? end.current, false);
    return whenSettled(player, () => {
      if (landing.search === '') terminal.endMark();
      else terminal.mark(landing.search);
    });
  }, [replay, landing]);
}

/** Calls `then` once when the player has stopped seeking; what is returned takes it back. */
export function whenSettled(player: Player, then: () => void): () => void {
  const watching = player.onChange(({ state }) => {
    if (state.kind === 'seeking') return;
    watching.dispose();
    then();
  });
  return () => watching.dispose();
}

/** What the player shows, at most once in a frame: a flood changes it far more often. */
export function usePlayerView(player: Player): PlayerView {
  const [view, setView] = useState(player.view);
  useEffect(() => {
    let frame = 0;
    const watching = player.onChange(() => {
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        setView(player.view);
      });
    });
    setView(player.view);
    return () => {
      watching.dispose();
      cancelAnimationFrame(frame);
    };
  }, [player]);
  return view;
}

/** Fonts and colours follow the settings and the theme. */
function useAppearance(replay: Replay | null): void {
  const settings = useSettings((state) => state.settings);
  useEffect(() => {
    if (replay === null) return;
    const apply = () => replay.terminal.applySettings(settings);
    apply();
    const observer = new MutationObserver(apply);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, [replay, settings]);
}
