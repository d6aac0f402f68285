import type { Addition } from '../index-store.ts';

/** An addition as it goes to the thread: many small objects cost more on the way than what is done with them there. */
export interface PackedAddition extends Omit<Addition, 'lines'> {
  readonly seq: number;
  /** Line ends between them; no line holds one. */
  readonly text: string;
  /** Milliseconds, one for each line. */
  readonly times: Float64Array;
}

/** Why an addition, and every one after it, was not stored: what SQLite said. */
export interface StoringFault {
  readonly message: string;
  readonly errcode?: number;
  readonly code?: string;
}

export interface StorerData {
  /** Of all transcripts. */
  readonly folder: string;
  /** See `DONE` and `FAILED`. */
  readonly state: Int32Array<SharedArrayBuffer>;
  /** To the thread go additions, from it comes at most one fault. */
  readonly port: import('node:worker_threads').MessagePort;
}

/** Places in `state`: additions that are dealt with, and whether there is a fault to be read. */
export const DONE = 0;
export const FAILED = 1;
export const STATE_LENGTH = 2;

export function pack(seq: number, { lines, ...rest }: Addition): PackedAddition {
  return {
    ...rest,
    seq,
    text: lines.map((line) => line.text).join('\n'),
    times: Float64Array.from(lines, (line) => line.atMs),
  };
}

export function unpack({ text, times, seq: _, ...rest }: PackedAddition): Addition {
  const texts = times.length === 0 ? [] : text.split('\n');
  return { ...rest, lines: texts.map((line, index) => ({ text: line, atMs: times[index] ?? 0 })) };
}
