import type { Disposable } from '../../../shared/disposable.ts';
import { Emitter } from '../../../shared/emitter.ts';
import type { LocalNotice } from '../../../shared/protocol/events.ts';
import type { SessionState } from '../../../shared/terminal/session-state.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import {
  CAST_EVENT_MAX_BYTES,
  RECORDER_BATCH,
  RECORDER_QUEUE_MAX_BYTES,
} from '../../../shared/transcripts/limits.ts';
import type { UntimedMoment } from '../../../shared/transcripts/moment.ts';
import type { SessionRecording, TranscriptPlace } from '../../session/recording.ts';
import type { FromRecorder, RecordedEvent, RecordingPlan, ToRecorder } from './messages.ts';
import { momentOfNotice, momentsOfState } from './moments.ts';

export interface RecorderParts {
  readonly id: string;
  readonly recordsInput: boolean;
  /** Steady milliseconds. */
  readonly now: () => number;
  readonly post: (message: ToRecorder) => void;
}

type Progress = 'recording' | 'stopped' | 'ended';
type Untimed = RecordedEvent extends infer One
  ? One extends RecordedEvent
    ? Omit<One, 'atUs'>
    : never
  : never;

/**
 * One session's recording on the host's side: takes the time, copies the bytes once, and hands them on in batches. Never
 * waits; what is handed on and not written yet is bounded by RECORDER_QUEUE_MAX_BYTES, and above it recording stops.
 */
export class Recorder implements SessionRecording {
  readonly id: string;
  readonly #parts: RecorderParts;
  readonly #startedAt: number;
  readonly #events = new Emitter<{ stopped: string }>();
  #progress: Progress = 'recording';
  #stopped: string | null = null;
  #isTold = false;
  /** How the session ended, once it has. */
  #end: RecordedEvent | null = null;
  /** The thread that it began with is gone. */
  #isMoved = false;
  #state: SessionState = { kind: 'opening' };
  #lastUs = 0;
  #batch = new Uint8Array(0);
  #batchBytes = 0;
  #batchEvents: RecordedEvent[] = [];
  #timer: NodeJS.Timeout | null = null;
  /** Costs of the messages that are not answered yet, oldest first. */
  #unanswered: number[] = [];
  #queuedBytes = 0;
  #waiters: { readonly behind: number; readonly tell: (why: string | null) => void }[] = [];
  #answers = 0;
  #bytesOnDisk = 0;

  /** The plan has been posted before, and its answer comes as those of the batches do. */
  constructor(parts: RecorderParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#startedAt = parts.now();
    this.#unanswered.push(0);
  }

  get stopped(): string | null {
    return this.#stopped;
  }

  get place(): TranscriptPlace | null {
    return this.#progress === 'recording' ? { id: this.id, atMs: this.#now() / 1_000 } : null;
  }

  /** Bytes, with the cost of what is around them, that wait to be written. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Whole lines, all segments, as far as was told. */
  get bytesOnDisk(): number {
    return this.#bytesOnDisk;
  }

  output(bytes: Uint8Array): void {
    this.#takeBytes('output', bytes);
  }

  input(bytes: Uint8Array): void {
    if (this.#parts.recordsInput) this.#takeBytes('input', bytes);
  }

  resized(size: TerminalSize): void {
    this.#take({ kind: 'resize', size });
  }

  state(state: SessionState): void {
    const before = this.#state;
    this.#state = state;
    for (const moment of momentsOfState(before, state)) this.mark(moment);
    if (state.kind !== 'ended' && state.kind !== 'needs-attention') return;
    if (this.#progress === 'ended') return;
    const { cause, outcome, release } = state;
    this.#progress = 'ended';
    this.#push({ kind: 'end', ending: { kind: 'ended', cause, outcome, removed: release.removed } });
    this.#end = this.#batchEvents.at(-1) ?? null;
    this.#post();
  }

  notice(notice: LocalNotice): void {
    const moment = momentOfNotice(notice);
    if (moment !== null) this.mark(moment);
  }

  mark(moment: UntimedMoment): void {
    this.#take({ kind: 'moment', moment });
  }

  onStopped(listener: (why: string) => void): Disposable {
    if (this.#stopped !== null && this.#isTold) listener(this.#stopped);
    return this.#events.on('stopped', listener);
  }

  written(): Promise<string | null> {
    this.#post();
    // Of a recording that has stopped as well, whose file is told why, and how the session ended.
    if (this.#unanswered.length === 0) return Promise.resolve(this.#stopped);
    const behind = this.#answers + this.#unanswered.length;
    return new Promise((tell) => this.#waiters.push({ behind, tell }));
  }

  /** The worker has dealt with the oldest message that was not answered. */
  answered({ written, stopped }: FromRecorder): void {
    this.#answers += 1;
    this.#bytesOnDisk = written;
    this.#queuedBytes -= this.#unanswered.shift() ?? 0;
    if (stopped !== null) this.#stop(stopped);
    const told = this.#waiters.filter(({ behind }) => behind <= this.#answers);
    this.#waiters = this.#waiters.filter(({ behind }) => behind > this.#answers);
    for (const { tell } of told) tell(this.#stopped);
  }

  /** Nothing is written or answered any more. */
  lost(why: string): void {
    this.#forget(why);
    this.#progress = 'ended';
  }

  /**
   * What was handed on and not answered is lost with its thread. Recording has stopped, and another thread, once, tells the file so.
   * False: that one is gone as well.
   */
  moved(why: string, plan: RecordingPlan): boolean {
    if (this.#isMoved) return false;
    this.#isMoved = true;
    this.#forget(why);
    this.#unanswered.push(0);
    this.#parts.post({ kind: 'start', id: this.id, plan: { ...plan, goesOn: true } });
    const stop = { kind: 'stop', why: this.#stopped ?? why, atUs: this.#now() } as const;
    this.#send(this.#end === null ? [stop] : [stop, this.#end], newBatch(0), RECORDER_BATCH.costBytes);
    return true;
  }

  #forget(why: string): void {
    this.#stop(why);
    this.#discard();
    this.#unanswered = [];
    this.#queuedBytes = 0;
    for (const { tell } of this.#waiters.splice(0)) tell(this.#stopped ?? why);
  }

  #takeBytes(kind: 'output' | 'input', bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && this.#progress === 'recording'; )
      at += this.#gather(kind, bytes.subarray(at));
  }

  /** Copies what the batch has room for, and says how much that was. */
  #gather(kind: 'output' | 'input', bytes: Uint8Array): number {
    if (this.#batch.length === 0) this.#batch = newBatch();
    const part = bytes.subarray(0, this.#batch.length - this.#batchBytes);
    this.#batch.set(part, this.#batchBytes);
    this.#batchBytes += part.length;
    this.#pushBytes(kind, part.length);
    if (this.#batchBytes === this.#batch.length) this.#post();
    return part.length;
  }

  #pushBytes(kind: 'output' | 'input', length: number): void {
    const atUs = this.#now();
    const last = this.#batchEvents.at(-1);
    const one =
      last?.kind === kind &&
      atUs - last.atUs < RECORDER_BATCH.oneEventUs &&
      last.length + length <= CAST_EVENT_MAX_BYTES;
    if (one) this.#batchEvents[this.#batchEvents.length - 1] = { ...last, length: last.length + length };
    else this.#push({ kind, length });
  }

  #take(event: Untimed): void {
    if (this.#progress === 'recording') this.#push(event);
  }

  #push(event: Untimed): void {
    this.#batchEvents.push({ ...event, atUs: this.#now() } as RecordedEvent);
    this.#timer ??= setTimeout(() => this.#post(), RECORDER_BATCH.waitMs);
  }

  #post(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const events = this.#batchEvents;
    if (events.length === 0) return;
    const bytes = this.#takeBatch();
    const cost = bytes.length + RECORDER_BATCH.costBytes + events.length * RECORDER_BATCH.eventCostBytes;
    if (this.#progress === 'recording' && this.#queuedBytes + cost > RECORDER_QUEUE_MAX_BYTES) {
      this.#overflow();
      return;
    }
    this.#send(events, bytes, cost);
  }

  /** What did not fit is not recorded: the file says so where it ends. */
  #overflow(): void {
    const why = 'The disk does not keep up with the output.';
    this.#stop(why);
    this.#send([{ kind: 'stop', why, atUs: this.#now() }], newBatch(0), RECORDER_BATCH.costBytes);
  }

  #send(events: readonly RecordedEvent[], bytes: Uint8Array, cost: number): void {
    this.#unanswered.push(cost);
    this.#queuedBytes += cost;
    this.#parts.post({ kind: 'batch', id: this.id, events, bytes });
  }

  /** The memory is the receiver's afterwards: a batch that is mostly empty is copied instead. */
  #takeBatch(): Uint8Array {
    const batch = this.#batch;
    const length = this.#batchBytes;
    this.#batchBytes = 0;
    this.#batchEvents = [];
    if (length < batch.length / 2 || length === 0) {
      const small = newBatch(length);
      small.set(batch.subarray(0, length));
      return small;
    }
    this.#batch = new Uint8Array(0);
    return batch.subarray(0, length);
  }

  #stop(why: string): void {
    if (this.#stopped !== null) return;
    this.#stopped = why;
    if (this.#progress === 'ended') return;
    this.#progress = 'stopped';
    this.#discard();
    // Whoever told the recorder something is not called back from in there.
    queueMicrotask(() => {
      this.#isTold = true;
      this.#events.fire('stopped', why);
    });
  }

  #discard(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#batch = new Uint8Array(0);
    this.#batchBytes = 0;
    this.#batchEvents = [];
  }

  /** Microseconds since the start; never falls (B27). */
  #now(): number {
    this.#lastUs = Math.max(this.#lastUs, Math.round((this.#parts.now() - this.#startedAt) * 1_000));
    return this.#lastUs;
  }
}

/** Memory of its own that can be handed over and is not cleared first. */
function newBatch(bytes: number = RECORDER_BATCH.maxBytes): Uint8Array<ArrayBuffer> {
  return Buffer.allocUnsafeSlow(bytes);
}
