import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import {
  CLOCK,
  RECORDER_RESERVE_BYTES,
  RECORDER_WRITE_BYTES,
  SEGMENT_MAX_BYTES,
} from '../../../shared/transcripts/limits.ts';
import { CastEncoder, formatHeader } from '../cast/encoder.ts';
import { readSegments } from '../cast/reader.ts';
import { segmentName, segmentsOf } from '../cast/segments.ts';
import type { RecordedEvent, RecordingPlan } from './messages.ts';

const MIB = 1024 * 1024;
const RESERVE = '.reserve';

interface OpenSegment {
  readonly number: number;
  readonly file: number;
  /** Whole lines on disk. */
  bytes: number;
}

/**
 * The files of one recording, for the recorder's worker: writes synchronously, throws nothing. What cannot be written stops
 * the recording: then the file ends with whole lines, and with the reason if there is room for it.
 */
export class RecordingFile {
  readonly #plan: RecordingPlan;
  readonly #segmentMaxBytes: number;
  #encoder = new CastEncoder();
  #segment: OpenSegment | null = null;
  #size: TerminalSize;
  /** Bytes of whole lines on disk, all segments. */
  #written = 0;
  /** How things are behind the last event on disk: a segment begins with them. */
  #writtenUs = 0;
  #writtenSize: TerminalSize;
  #sinceClock = 0;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #stopped: string | null = null;
  #ended = false;
  /** The thread before this one has written the end. */
  #hasEnd = false;

  constructor(plan: RecordingPlan, segmentMaxBytes = SEGMENT_MAX_BYTES) {
    this.#plan = plan;
    this.#segmentMaxBytes = segmentMaxBytes;
    this.#size = { cols: plan.header.term.cols, rows: plan.header.term.rows };
    this.#writtenSize = this.#size;
    try {
      mkdirSync(plan.folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(plan.folder, RESERVE), Buffer.alloc(RECORDER_RESERVE_BYTES, ' '), { mode: 0o600 });
      this.#segment = (plan.goesOn === true ? this.#openLast() : null) ?? this.#openSegment(1);
    } catch (error) {
      this.#stopped = inWords(error);
      this.#removeReserve();
    }
  }

  get written(): number {
    return this.#written;
  }

  get stopped(): string | null {
    return this.#stopped;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** `bytes`: of the outputs and inputs among the events, one behind the other. */
  take(events: readonly RecordedEvent[], bytes: Uint8Array): void {
    let at = 0;
    for (const event of events) {
      const length = 'length' in event ? event.length : 0;
      this.#takeOne(event, bytes.subarray(at, at + length));
      at += length;
    }
    this.#flush();
  }

  #takeOne(event: RecordedEvent, bytes: Uint8Array): void {
    if (this.#ended) return;
    if (event.kind === 'end') this.#end(event);
    else if (this.#stopped !== null || this.#hasEnd) return;
    else if (event.kind === 'stop') {
      this.#flush();
      this.#stop(event.why, event.atUs);
    } else this.#add(this.#encode(event, bytes));
  }

  #encode(event: Exclude<RecordedEvent, { kind: 'stop' | 'end' }>, bytes: Uint8Array): Buffer {
    switch (event.kind) {
      case 'output':
        return this.#encoder.output(event.atUs, bytes);
      case 'input':
        return this.#encoder.input(event.atUs, bytes);
      case 'resize':
        this.#size = event.size;
        return this.#encoder.resize(event.atUs, event.size);
      case 'moment':
        return this.#encoder.moment(event.atUs, event.moment);
    }
  }

  #add(lines: Buffer): void {
    this.#pending.push(lines);
    this.#pendingBytes += lines.length;
    if (this.#pendingBytes >= RECORDER_WRITE_BYTES) this.#flush();
  }

  #flush(): void {
    if (this.#pendingBytes === 0) return;
    const lines = Buffer.concat(this.#pending);
    this.#clearPending();
    this.#sinceClock += lines.length;
    if (this.#stopped !== null) return;
    if (this.#written + lines.length > this.#plan.maxBytes) {
      const limit = Math.round(this.#plan.maxBytes / MIB);
      this.#stop(`The transcript has reached its limit of ${limit} MiB.`, this.#encoder.lastUs);
      return;
    }
    try {
      this.#rollOver(lines.length);
      this.#write(lines);
      this.#writtenUs = this.#encoder.lastUs;
      this.#writtenSize = this.#size;
    } catch (error) {
      this.#stop(inWords(error), this.#encoder.lastUs);
      return;
    }
    if (this.#sinceClock < CLOCK.everyBytes) return;
    this.#sinceClock = 0;
    this.#add(this.#encoder.clock());
  }

  /** A segment that cannot be begun leaves the one before it open, for the reason. */
  #rollOver(bytes: number): void {
    const full = this.#segment;
    if (full === null || full.bytes + bytes <= this.#segmentMaxBytes) return;
    this.#segment = this.#openSegment(full.number + 1);
    closeSync(full.file);
  }

  #openSegment(number: number): OpenSegment {
    const path = join(this.#plan.folder, segmentName(number));
    // Appending: what follows a batch that was cut off again begins where that began.
    const file = openSync(path, 'ax', 0o600);
    const { header } = this.#plan;
    try {
      const own = header.airlock && { ...header.airlock, segment: number, startOffsetUs: this.#writtenUs };
      const line = Buffer.from(
        formatHeader({
          ...header,
          term: { ...header.term, ...this.#writtenSize },
          timestamp: Math.floor(Date.now() / 1_000),
          ...(own && { airlock: own }),
        }),
      );
      writeWhole(file, line);
      this.#written += line.length;
      return { number, file, bytes: line.length };
    } catch (error) {
      closeSync(file);
      rmSync(path, { force: true });
      throw error;
    }
  }

  /** The last segment that is there, cut to its last whole event. Null where none is: the thread died before it began. */
  #openLast(): OpenSegment | null {
    const segments = segmentsOf(this.#plan.folder);
    const last = segments.at(-1);
    if (last === undefined) return null;
    let end = last.offset;
    for (const event of readSegments(segments, { from: last.offset, atUs: 0 })) {
      end = event.end;
      this.#writtenUs = event.atUs;
      this.#hasEnd = event.kind === 'ended';
      if (event.kind === 'moment' && event.moment.kind === 'recording-stopped')
        this.#stopped = event.moment.why;
    }
    this.#encoder = new CastEncoder(this.#writtenUs);
    if (end === last.offset) {
      rmSync(last.path);
      return this.#openLast();
    }
    this.#written = end;
    const bytes = end - last.offset;
    const file = openSync(last.path, 'a');
    ftruncateSync(file, bytes);
    return { number: last.number, file, bytes };
  }

  #write(lines: Buffer): void {
    const segment = this.#segment;
    if (segment === null) return;
    try {
      writeWhole(segment.file, lines);
    } catch (error) {
      // Half a batch may be there: whole lines are what a reader can go on from.
      ftruncateSync(segment.file, segment.bytes);
      throw error;
    }
    segment.bytes += lines.length;
    this.#written += lines.length;
  }

  #stop(why: string, atUs: number): void {
    this.#clearPending();
    this.#stopped = why;
    this.#removeReserve();
    this.#encoder = new CastEncoder(this.#writtenUs);
    this.#writeLast(
      this.#encoder.moment(atUs, { kind: 'recording-stopped', label: `Recording stopped: ${why}`, why }),
    );
  }

  #end({ atUs, ending }: Extract<RecordedEvent, { kind: 'end' }>): void {
    this.#flush();
    this.#ended = true;
    this.#removeReserve();
    if (!this.#hasEnd) this.#writeLast(this.#encoder.end(atUs, ending));
    this.#close();
  }

  /** Some disks say only now that they have not written everything. */
  #close(): void {
    try {
      if (this.#segment !== null) closeSync(this.#segment.file);
    } catch (error) {
      this.#stopped ??= inWords(error);
    }
    this.#segment = null;
  }

  /** What is said above the cap, and on a full disk: where even that fails it is left out. */
  #writeLast(lines: Buffer): void {
    try {
      this.#write(Buffer.concat([...this.#pending, lines]));
    } catch (error) {
      this.#stopped ??= inWords(error);
    }
    this.#clearPending();
  }

  #clearPending(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  #removeReserve(): void {
    try {
      rmSync(join(this.#plan.folder, RESERVE), { force: true });
    } catch {
      // It costs nothing but its space.
    }
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function inWords(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return 'The disk is full.';
  if (code === 'EDQUOT') return 'The disk quota is used up.';
  return `The transcript cannot be written (${code ?? message}).`;
}
