import { closeSync, constants, openSync, readSync } from 'node:fs';
import { CAST_LINE_MAX_BYTES, CLOCK } from '../../../shared/transcripts/limits.ts';
import { OWN } from './codes.ts';
import { CastDecoder } from './decoder.ts';
import type { CastEvent } from './events.ts';
import { LineSplitter } from './line-splitter.ts';
import { type Segment, segmentsOf } from './segments.ts';

export interface ReadRange {
  /** Where a line begins; 0 when left out. Anything else loses the line it is in. */
  readonly from?: number;
  /** Nothing from here on is looked at: what a recorder said that it has written. To the end when left out. */
  readonly until?: number;
  /** Of the event that ends at `from`, whole microseconds, where that is known; else it is looked for. */
  readonly atUs?: number;
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
const CHUNK_BYTES = 256 * 1024;

/**
 * The events of a recording from an offset on, read from its files as it goes: stop taking them and nothing more is read.
 * Damaged lines are skipped; a line without its end, the last of a recorder that died, is not there. Throws when a file
 * cannot be read.
 */
export function* readEvents(folder: string, range: ReadRange = {}) {
  yield* readSegments(segmentsOf(folder), range);
}

/** As `readEvents`, of segments that were listed before. `damaged` is told what was skipped. */
export function* readSegments(
  segments: readonly Segment[],
  { from = 0, until = Number.POSITIVE_INFINITY, atUs }: ReadRange = {},
  damaged: (lines: number) => void = () => {},
): Generator<CastEvent> {
  const decoder = new CastDecoder(atUs ?? timeAt(segments, from));
  for (const segment of segments) {
    if (segment.offset + segment.bytes <= from) continue;
    if (segment.offset >= until) break;
    const start = Math.max(from, segment.offset);
    const lines = new LineSplitter(start, CAST_LINE_MAX_BYTES);
    for (const chunk of chunksOf(segment, start, Math.min(until, segment.offset + segment.bytes)))
      for (const line of lines.push(chunk)) yield* decoder.line(line);
    yield* decoder.flush();
  }
  damaged(decoder.damaged);
}

/** Steady microseconds at an offset: from the last clock before it, or from the start of its segment. */
export function timeAt(segments: readonly Segment[], offset: number): number {
  const segment = segments.find((one) => offset < one.offset + one.bytes) ?? segments.at(-1);
  if (segment === undefined || offset <= 0) return 0;
  const clock = lastClockBefore(segment, offset);
  // Behind the clock's own line its time holds; without one the header says where the segment begins.
  const decoder = new CastDecoder(clock?.atUs ?? 0);
  const start = clock?.end ?? segment.offset;
  const lines = new LineSplitter(start, CAST_LINE_MAX_BYTES);
  for (const chunk of chunksOf(segment, start, offset))
    for (const line of lines.push(chunk)) for (const _ of decoder.line(line));
  return decoder.atUs;
}

const CLOCK_LINE = new RegExp(`\\n\\[0, "${OWN.clock}", "(\\d+)"\\]\\n`, 'g');

/** A foreign file has none. */
function lastClockBefore(segment: Segment, offset: number): { atUs: number; end: number } | null {
  const start = Math.max(segment.offset, offset - CLOCK.lookBackBytes);
  // One byte one character, so that places in the text are places in the file.
  let text = '';
  for (const chunk of chunksOf(segment, start, offset)) text += Buffer.from(chunk).toString('latin1');
  const last = [...text.matchAll(CLOCK_LINE)].findLast(([, atUs]) => Number.isSafeInteger(Number(atUs)));
  return last === undefined ? null : { atUs: Number(last[1]), end: start + last.index + last[0].length };
}

/** The bytes between two offsets of the whole recording, as far as they are in this segment. Each is valid until the next. */
function* chunksOf(segment: Segment, from: number, to: number): Generator<Uint8Array> {
  if (to <= from) return;
  // No link is followed, and no pipe waited for, that has come into its place.
  const file = openSync(segment.path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  try {
    const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, to - from));
    for (let at = from; at < to; ) {
      const read = readSync(file, buffer, 0, Math.min(buffer.length, to - at), at - segment.offset);
      if (read === 0) return;
      yield buffer.subarray(0, read);
      at += read;
    }
  } finally {
    closeSync(file);
  }
}
