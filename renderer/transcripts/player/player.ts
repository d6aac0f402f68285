import type { Disposable } from '../../../shared/disposable.ts';
import { Emitter } from '../../../shared/emitter.ts';
import type { TaggedError } from '../../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { OpenedTranscript, ReplayEvent, Snapshot } from '../../../shared/transcripts/transcript.ts';
import type { TranscriptsApi } from '../transcripts-api.ts';
import { EventFeed } from './event-feed.ts';
import { type Neighbours, type PlayClock, skipIdle, timeAt, waitFor } from './play-clock.ts';
import { nextState, type PlayerEvent, type PlayerState, playsOn, type SeekTarget } from './player-state.ts';
import { isOutput, RecordedOutput, sizeOf } from './recorded-output.ts';
import type { ReplayScreen } from './screen.ts';
import type { Timers } from './timers.ts';

/** Milliseconds between two looks at the time while nothing else happens. */
const TICK_MS = 100;
/** Characters and bytes that the screen gets before the player waits for it: about 10 ms of parsing. */
const BATCH_MAX = 256 * 1024;
/** Milliseconds of the transcript that the screen may be behind the clock. Further behind, the clock waits for it. */
const LAG_MAX_MS = 250;
/** Less than the smallest difference of two times in a transcript, which are whole microseconds. */
const INSTANT_MS = 0.0005;

/** What a person sees of a player. A new object with every change. */
export interface PlayerView {
  readonly state: PlayerState;
  readonly timeMs: number;
  readonly durationMs: number;
  readonly speed: number;
  readonly idleMs: number | null;
}

export interface PlayerOptions {
  readonly api: TranscriptsApi;
  readonly transcript: Pick<OpenedTranscript, 'id' | 'durationMs'>;
  readonly screen: ReplayScreen;
  readonly timers: Timers;
  readonly speed: number;
  readonly idleMs: number | null;
}

/**
 * Plays one transcript on a screen. The order of things is in player-state.ts; this carries it out: it reads events,
 * waits for their times and gives them to the screen. Nothing of it reaches a live session.
 */
export class Player implements Disposable {
  readonly #options: PlayerOptions;
  readonly #events = new Emitter<{ change: PlayerView }>();
  readonly #feed: EventFeed;
  #output = new RecordedOutput();
  #state: PlayerState = { kind: 'paused', atMs: 0 };
  #view: PlayerView;
  #durationMs: number;
  #speed: number;
  #idleMs: number | null;
  /** When the last event that the screen got happened; null while the screen shows no moment. */
  #lastMs: number | null = null;
  #waiting: Disposable | null = null;
  /** Counts what makes work on its way void: a new seek, the end. */
  #work = 0;
  #busy = false;
  #wake: (() => void) | null = null;
  #disposed = false;

  constructor(options: PlayerOptions) {
    this.#options = options;
    this.#durationMs = options.transcript.durationMs;
    this.#speed = options.speed;
    this.#idleMs = options.idleMs;
    this.#view = this.#look();
    this.#feed = new EventFeed(options.api, options.transcript.id, () => this.#fed());
  }

  get view(): PlayerView {
    return this.#view;
  }

  onChange(listener: (view: PlayerView) => void): Disposable {
    return this.#events.on('change', listener);
  }

  play(): void {
    this.#dispatch({ type: 'play', nowMs: this.#now() });
  }

  pause(): void {
    this.#dispatch({ type: 'pause' });
  }

  /** `play`: whether it plays afterwards; as before when left out. */
  seek(ms: number, play?: boolean): void {
    this.#seek({ ms, edge: 'at' }, play);
  }

  seekBy(ms: number): void {
    this.seek(this.#time() + ms);
  }

  /** To the next thing that the screen shows, or back to the one before. Pauses. */
  async step(direction: 1 | -1): Promise<void> {
    const time = this.#time();
    if (direction === -1) return this.#seek({ ms: time, edge: 'before' }, false);
    this.pause();
    const work = this.#work;
    const next = await this.#nextVisible(time);
    // What a person did meanwhile is newer.
    if (work !== this.#work || playsOn(this.#state)) return;
    if (next.ok) this.seek(next.value ?? this.#durationMs, false);
    else this.#fail(next.error.message);
  }

  setSpeed(speed: number): void {
    const nowMs = this.#now();
    const atMs = this.#time();
    this.#speed = speed;
    this.#dispatch({ type: 'clock', clock: { atMs, sinceMs: nowMs, speed } });
  }

  /** Milliseconds that a wait is shown for at most; null shows all of it. */
  setIdle(idleMs: number | null): void {
    this.#idleMs = idleMs;
    this.#changed();
    this.#turn();
  }

  /** A transcript that is still recorded has grown. Whoever is at its end stays there. */
  extend(durationMs: number): void {
    this.#feed.grown();
    if (durationMs <= this.#durationMs) return;
    const state = this.#state;
    const target: SeekTarget = state.kind === 'seeking' ? state.target : { ms: this.#time(), edge: 'at' };
    const ms = target.ms >= this.#durationMs ? durationMs : target.ms;
    this.#durationMs = durationMs;
    if (state.kind !== 'playing' && ms !== target.ms) this.#seek({ ...target, ms }, undefined);
    else this.#changed();
  }

  dispose(): void {
    this.#disposed = true;
    this.#work += 1;
    this.#feed.stop();
    this.#waiting?.dispose();
    this.#wake?.();
    this.#events.clear();
  }

  #seek(target: SeekTarget, play: boolean | undefined): void {
    this.#dispatch({ type: 'seek', target, ...(play !== undefined && { play }) });
  }

  #dispatch(event: PlayerEvent): void {
    if (this.#disposed) return;
    const before = this.#state;
    this.#state = nextState(before, event, {
      durationMs: this.#durationMs,
      speed: this.#speed,
      timeMs: this.#time(),
    });
    this.#changed();
    const sought = this.#state.kind === 'seeking' ? this.#state.target : null;
    const wasSought = before.kind === 'seeking' ? before.target : null;
    if (sought !== null && sought !== wasSought) this.#startSeek();
    else this.#turn();
  }

  /** One seek at a time: a newer target, as while a person drags, takes its turn when the one on its way gives up. */
  #startSeek(): void {
    this.#work += 1;
    this.#waiting?.dispose();
    this.#wake?.();
    if (!this.#busy) void this.#carryOut(() => this.#seekNow());
  }

  #turn(): void {
    if (this.#busy || this.#disposed) return;
    this.#waiting?.dispose();
    if (this.#state.kind === 'playing') this.#playOn(this.#state);
    else if (this.#state.kind === 'waiting' && this.#feed.next.kind !== 'loading')
      this.#dispatch({ type: 'fed', nowMs: this.#now() });
  }

  /** Nothing else is begun before `work` has ended. */
  async #carryOut(work: () => Promise<void>): Promise<void> {
    this.#busy = true;
    await work();
    this.#busy = false;
    if (this.#disposed) return;
    if (this.#state.kind === 'seeking') this.#startSeek();
    else this.#turn();
  }

  async #seekNow(): Promise<void> {
    const state = this.#state;
    if (state.kind !== 'seeking') return;
    const { screen } = this.#options;
    const work = this.#work;
    const { target } = state;
    screen.hold();
    const canGoOn = await this.#canGoOn(target);
    if (work !== this.#work) return;
    if (!canGoOn && !(await this.#restore(target, work))) return;
    if (!(await this.#drawUntil(target, work))) return;
    await this.#settle();
    if (work !== this.#work) return;
    screen.release();
    const atMs = target.edge === 'at' ? target.ms : (this.#lastMs ?? 0);
    this.#dispatch({ type: 'arrived', atMs, nowMs: this.#now() });
  }

  /** Whether the moment lies ahead and all that leads there is in memory, or the next that comes there. */
  async #canGoOn({ ms, edge }: SeekTarget): Promise<boolean> {
    if (edge !== 'at' || this.#lastMs === null || ms < this.#lastMs) return false;
    if (this.#feed.next.kind === 'loading') await this.#moreRead();
    return this.#feed.reaches(ms);
  }

  /** False when it failed or is not wanted any more. */
  async #restore({ ms, edge }: SeekTarget, work: number): Promise<boolean> {
    const atMs = edge === 'at' ? ms : Math.max(0, ms - INSTANT_MS);
    const answer = await this.#options.api.request('transcripts.seek', {
      id: this.#options.transcript.id,
      atMs,
    });
    if (work !== this.#work) return false;
    if (!answer.ok) {
      this.#fail(answer.error.message);
      return false;
    }
    this.#begin(answer.value);
    return true;
  }

  #begin(snapshot: Snapshot): void {
    this.#output = new RecordedOutput();
    this.#options.screen.restore(snapshot);
    this.#lastMs = snapshot.atMs;
    this.#feed.start(snapshot.position);
  }

  async #drawUntil({ ms, edge }: SeekTarget, work: number): Promise<boolean> {
    let drawn = 0;
    for (;;) {
      const { next } = this.#feed;
      if (next.kind === 'failed') this.#fail(next.error.message);
      if (work !== this.#work) return false;
      if (next.kind === 'failed') return false;
      if (next.kind === 'end') return true;
      if (next.kind === 'loading') {
        await this.#moreRead();
        continue;
      }
      if (edge === 'at' ? next.event.atMs > ms : next.event.atMs >= ms) return true;
      drawn += this.#draw(next.event);
      this.#feed.take();
      if (drawn < BATCH_MAX) continue;
      drawn = 0;
      await this.#settle();
    }
  }

  #playOn({ clock }: Extract<PlayerState, { kind: 'playing' }>): void {
    const { next } = this.#feed;
    switch (next.kind) {
      case 'loading':
        this.#dispatch({ type: 'starved' });
        break;
      case 'failed':
        this.#fail(next.error.message);
        break;
      case 'end':
        this.#playTowards(clock, this.#durationMs, () => this.#dispatch({ type: 'ended' }));
        break;
      case 'event':
        this.#playTowards(clock, next.event.atMs, (timeMs) => {
          void this.#carryOut(() => this.#drawDue(timeMs));
        });
    }
  }

  /** Waits for the time of what comes next, and cuts that wait where it is a long one. */
  #playTowards(clock: PlayClock, nextMs: number, arrived: (timeMs: number) => void): void {
    const nowMs = this.#now();
    const timeMs = timeAt(clock, nowMs);
    const neighbours: Neighbours = { lastMs: this.#lastMs ?? 0, nextMs };
    const skipped = skipIdle(clock, nowMs, neighbours, this.#idleMs);
    if (skipped !== clock) this.#dispatch({ type: 'clock', clock: skipped });
    else if (nextMs <= timeMs) arrived(timeMs);
    else {
      const wait = Math.min(TICK_MS, waitFor(clock, nowMs, neighbours, this.#idleMs));
      this.#waiting = this.#options.timers.after(wait, () => {
        this.#changed();
        this.#turn();
      });
    }
  }

  async #drawDue(timeMs: number): Promise<void> {
    const work = this.#work;
    for (let drawn = 0; drawn < BATCH_MAX; ) {
      const { next } = this.#feed;
      if (next.kind !== 'event' || next.event.atMs > timeMs) break;
      drawn += this.#draw(next.event);
      this.#feed.take();
    }
    await this.#settle();
    if (work !== this.#work || this.#state.kind !== 'playing') return;
    const { next } = this.#feed;
    const nowMs = this.#now();
    if (next.kind !== 'event' || next.event.atMs > this.#time() - LAG_MAX_MS) return this.#changed();
    this.#dispatch({ type: 'clock', clock: { atMs: next.event.atMs, sinceMs: nowMs, speed: this.#speed } });
  }

  /** Takes an event for the screen, which gets it by `#settle` at the latest; how much that is, in characters. */
  #draw(event: ReplayEvent): number {
    this.#lastMs = event.atMs;
    // What is still recorded is longer than it was when it was opened.
    this.#durationMs = Math.max(this.#durationMs, event.atMs);
    if (isOutput(event)) {
      this.#output.add(event);
      return sizeOf(event);
    }
    if (event.kind === 'resize') {
      this.#write();
      this.#options.screen.resize(event.size);
    }
    return 0;
  }

  #write(): void {
    for (const output of this.#output.take()) this.#options.screen.write(output);
  }

  #settle(): Promise<void> {
    this.#write();
    return this.#options.screen.settled();
  }

  /** When something visible happens next after `timeMs`; null when nothing does. */
  async #nextVisible(timeMs: number): Promise<Result<number | null, TaggedError>> {
    const wanted = (event: ReplayEvent) =>
      event.atMs > timeMs && (isOutput(event) || event.kind === 'resize');
    // While a seek is on its way there is in memory what follows the place that it comes from.
    const isBehind = this.#lastMs !== null && this.#lastMs <= timeMs;
    const inMemory = isBehind ? this.#feed.find(wanted) : undefined;
    if (inMemory !== undefined) return ok(inMemory.atMs);
    const ahead = new EventFeed(this.#options.api, this.#options.transcript.id, () => wake());
    let wake = () => {};
    const snapshot = await this.#options.api.request('transcripts.seek', {
      id: this.#options.transcript.id,
      atMs: timeMs,
    });
    if (!snapshot.ok) return snapshot;
    ahead.start(snapshot.value.position);
    for (;;) {
      const { next } = ahead;
      if (next.kind === 'loading') {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      if (next.kind === 'failed') return fail(next.error);
      if (next.kind === 'end') return ok(null);
      if (wanted(next.event)) {
        ahead.stop();
        return ok(next.event.atMs);
      }
      ahead.take();
    }
  }

  #fail(message: string): void {
    this.#lastMs = null;
    this.#options.screen.release();
    this.#dispatch({ type: 'failed', message });
  }

  #fed(): void {
    this.#wake?.();
    this.#turn();
  }

  #moreRead(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = null;
        resolve();
      };
    });
  }

  #now(): number {
    return this.#options.timers.now();
  }

  /** Never beyond the next thing that the screen has not got. */
  #time(): number {
    const state = this.#state;
    switch (state.kind) {
      case 'playing':
        return Math.min(this.#durationMs, timeAt(state.clock, this.#now()));
      case 'seeking':
        return state.target.ms;
      default:
        return state.atMs;
    }
  }

  #look(): PlayerView {
    return {
      state: this.#state,
      timeMs: this.#time(),
      durationMs: this.#durationMs,
      speed: this.#speed,
      idleMs: this.#idleMs,
    };
  }

  #changed(): void {
    this.#view = this.#look();
    this.#events.fire('change', this.#view);
  }
}
