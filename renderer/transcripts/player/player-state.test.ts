import { describe, expect, it } from 'vitest';
import { nextState, type PlayerEvent, type PlayerState } from './player-state.ts';

const at = (ms: number) => ({ ms, edge: 'at' as const });
const facts = { durationMs: 10_000, speed: 2, timeMs: 4_000 };
const clock = { atMs: 3_000, sinceMs: 100, speed: 2 };
const seeking = (thenPlay: boolean): PlayerState => ({
  kind: 'seeking',
  target: at(7_000),
  thenPlay,
  from: 4_000,
});
const paused: PlayerState = { kind: 'paused', atMs: 4_000 };
const playing: PlayerState = { kind: 'playing', clock };
const waiting: PlayerState = { kind: 'waiting', atMs: 4_000 };
const failed: PlayerState = { kind: 'failed', atMs: 4_000, message: 'gone' };
const from = (atMs: number, sinceMs = 500): PlayerState => ({
  kind: 'playing',
  clock: { atMs, sinceMs, speed: 2 },
});

const TABLE: readonly (readonly [string, PlayerState, PlayerEvent, PlayerState])[] = [
  ['a seek of a paused player stays paused', paused, { type: 'seek', target: at(7_000) }, seeking(false)],
  ['a seek of a playing one plays on', playing, { type: 'seek', target: at(7_000) }, seeking(true)],
  ['a seek while it waits plays on', waiting, { type: 'seek', target: at(7_000) }, seeking(true)],
  ['a seek may say to play', paused, { type: 'seek', target: at(7_000), play: true }, seeking(true)],
  [
    'a seek stays inside',
    paused,
    { type: 'seek', target: { ms: 99_999, edge: 'before' } },
    { kind: 'seeking', target: { ms: 10_000, edge: 'before' }, thenPlay: false, from: 4_000 },
  ],
  ['a seek heals a failure', failed, { type: 'seek', target: at(7_000) }, seeking(false)],
  [
    'arrives paused',
    seeking(false),
    { type: 'arrived', atMs: 7_000, nowMs: 500 },
    { kind: 'paused', atMs: 7_000 },
  ],
  ['arrives playing', seeking(true), { type: 'arrived', atMs: 7_000, nowMs: 500 }, from(7_000)],
  [
    'arrives at the end',
    seeking(true),
    { type: 'arrived', atMs: 10_000, nowMs: 500 },
    { kind: 'paused', atMs: 10_000 },
  ],
  ['an arrival that nobody waits for', playing, { type: 'arrived', atMs: 7_000, nowMs: 500 }, playing],
  ['play', paused, { type: 'play', nowMs: 500 }, from(4_000)],
  ['play while seeking', seeking(false), { type: 'play', nowMs: 500 }, seeking(true)],
  ['play twice', playing, { type: 'play', nowMs: 500 }, playing],
  [
    'play at the end begins anew',
    { kind: 'paused', atMs: 10_000 },
    { type: 'play', nowMs: 500 },
    { kind: 'seeking', target: at(0), thenPlay: true, from: 4_000 },
  ],
  [
    'play after a failure',
    failed,
    { type: 'play', nowMs: 500 },
    { kind: 'seeking', target: at(4_000), thenPlay: true, from: 4_000 },
  ],
  ['pause', playing, { type: 'pause' }, paused],
  ['pause while it waits', waiting, { type: 'pause' }, paused],
  ['pause while seeking', seeking(true), { type: 'pause' }, seeking(false)],
  ['pause twice', paused, { type: 'pause' }, paused],
  ['starved', playing, { type: 'starved' }, waiting],
  ['starved while paused', paused, { type: 'starved' }, paused],
  ['fed', waiting, { type: 'fed', nowMs: 500 }, from(4_000)],
  ['fed while paused', paused, { type: 'fed', nowMs: 500 }, paused],
  ['ended', playing, { type: 'ended' }, { kind: 'paused', atMs: 10_000 }],
  ['ended while paused', paused, { type: 'ended' }, paused],
  ['failed', playing, { type: 'failed', message: 'gone' }, failed],
];

describe('what an event makes of a player', () => {
  it.each(TABLE)('%s', (_name, before, event, after) => {
    expect(nextState(before, event, facts)).toEqual(after);
  });
});
