import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** One file of a recording. */
export interface Segment {
  readonly path: string;
  /** From 1. */
  readonly number: number;
  /** Of its first byte in the segments laid end to end. */
  readonly offset: number;
  /** When it was looked at. */
  readonly bytes: number;
}

const NAME = /^(\d{4,})\.cast$/;

export function segmentName(number: number): string {
  return `${String(number).padStart(4, '0')}.cast`;
}

/** The segments of a recording's folder in order, up to the first that is missing. Throws when it cannot be listed. */
export function segmentsOf(folder: string): Segment[] {
  const numbers = readdirSync(folder)
    .map((name) => Number(NAME.exec(name)?.[1] ?? 0))
    .filter((number) => number > 0)
    .sort((a, b) => a - b);
  const segments: Segment[] = [];
  let offset = 0;
  for (const [index, number] of numbers.entries()) {
    if (number !== index + 1) break;
    const path = join(folder, segmentName(number));
    const { size: bytes } = statSync(path);
    segments.push({ path, number, offset, bytes });
    offset += bytes;
  }
  return segments;
}
