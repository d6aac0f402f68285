import type { PlayClock } from './play-clock.ts';

/** A moment to show: with everything that happened at it, or with what came `before` it only. */
export interface SeekTarget {
  readonly ms: number;
  readonly edge: 'at' | 'before';
}

/** What a player does. While it seeks the screen keeps showing the last settled moment. */
export type PlayerState =
  | {
      readonly kind: 'seeking';
      readonly target: SeekTarget;
      readonly thenPlay: boolean;
      readonly from: number;
    }
  | { readonly kind: 'paused'; readonly atMs: number }
  | { readonly kind: 'playing'; readonly clock: PlayClock }
  /** It plays, but what comes next is not here yet. */
  | { readonly kind: 'waiting'; readonly atMs: number }
  | { readonly kind: 'failed'; readonly atMs: number; readonly message: string };

export type PlayerEvent =
  | { readonly type: 'seek'; readonly target: SeekTarget; readonly play?: boolean }
  /** The screen shows the moment that was sought. */
  | { readonly type: 'arrived'; readonly atMs: number; readonly nowMs: number }
  | { readonly type: 'play'; readonly nowMs: number }
  | { readonly type: 'pause' }
  /** Nothing to show is left in memory, and more is on its way. */
  | { readonly type: 'starved' }
  | { readonly type: 'fed'; readonly nowMs: number }
  | { readonly type: 'clock'; readonly clock: PlayClock }
  | { readonly type: 'ended' }
  | { readonly type: 'failed'; readonly message: string };

/** What a transition depends on besides the state: how long the transcript is, how fast it plays, where it is now. */
export interface PlayerFacts {
  readonly durationMs: number;
  readonly speed: number;
  readonly timeMs: number;
}

/** Pure: what an event makes of the state. An event that means nothing in a state leaves it as it is. */
export function nextState(state: PlayerState, event: PlayerEvent, facts: PlayerFacts): PlayerState {
  switch (event.type) {
    case 'seek': {
      const ms = Math.min(facts.durationMs, Math.max(0, event.target.ms));
      return {
        kind: 'seeking',
        target: { ...event.target, ms },
        thenPlay: event.play ?? playsOn(state),
        from: facts.timeMs,
      };
    }
    case 'arrived':
      if (state.kind !== 'seeking') return state;
      return state.thenPlay && event.atMs < facts.durationMs
        ? playing(event.atMs, event.nowMs, facts.speed)
        : { kind: 'paused', atMs: event.atMs };
    case 'play':
      return play(state, event.nowMs, facts);
    case 'pause':
      if (state.kind === 'seeking') return { ...state, thenPlay: false };
      return playsOn(state) ? { kind: 'paused', atMs: facts.timeMs } : state;
    case 'starved':
      return state.kind === 'playing' ? { kind: 'waiting', atMs: facts.timeMs } : state;
    case 'fed':
      return state.kind === 'waiting' ? playing(state.atMs, event.nowMs, facts.speed) : state;
    case 'clock':
      return state.kind === 'playing' ? { kind: 'playing', clock: event.clock } : state;
    case 'ended':
      return playsOn(state) ? { kind: 'paused', atMs: facts.durationMs } : state;
    case 'failed':
      return { kind: 'failed', atMs: facts.timeMs, message: event.message };
  }
}

/** Whether a person sees it as playing: the button says "Pause". */
export function playsOn(state: PlayerState): boolean {
  return state.kind === 'playing' || state.kind === 'waiting' || (state.kind === 'seeking' && state.thenPlay);
}

/** At the end, playing begins anew from the start; after a failure, from where it failed. */
function play(state: PlayerState, nowMs: number, { durationMs, speed, timeMs }: PlayerFacts): PlayerState {
  switch (state.kind) {
    case 'seeking':
      return { ...state, thenPlay: true };
    case 'paused': {
      if (state.atMs < durationMs) return playing(state.atMs, nowMs, speed);
      return { kind: 'seeking', target: { ms: 0, edge: 'at' }, thenPlay: true, from: timeMs };
    }
    case 'failed':
      return { kind: 'seeking', target: { ms: state.atMs, edge: 'at' }, thenPlay: true, from: timeMs };
    default:
      return state;
  }
}

function playing(atMs: number, nowMs: number, speed: number): PlayerState {
  return { kind: 'playing', clock: { atMs, sinceMs: nowMs, speed } };
}
