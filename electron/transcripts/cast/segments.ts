import { lstatSync, readdirSync, type Stats } from 'node:fs';
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

/** What stands in a segment's place is no file: nothing of it is ever opened, as it may block or lead elsewhere. */
export class NoSegmentError extends Error {
  constructor(name: string, about: Stats) {
    super(`${name} is ${whatIs(about)}, and no file.`);
  }
}

function whatIs(about: Stats): string {
  if (about.isSymbolicLink()) return 'a symbolic link';
  if (about.isDirectory()) return 'a folder';
  return about.isFIFO() ? 'a pipe' : 'a device or a socket';
}

/**
 * The segments of a recording's folder in order, up to the first that is missing. Throws when it cannot be listed, and
 * NoSegmentError.
 */
export function segmentsOf(folder: string): Segment[] {
  const numbers = readdirSync(folder)
    .map((name) => Number(NAME.exec(name)?.[1] ?? 0))
    .filter((number) => number > 0)
    .sort((a, b) => a - b);
  const segments: Segment[] = [];
  let offset = 0;
  for (const [index, number] of numbers.entries()) {
    if (number !== index + 1) break;
    const name = segmentName(number);
    const path = join(folder, name);
    const about = lstatSync(path);
    if (!about.isFile()) throw new NoSegmentError(name, about);
    const { size: bytes } = about;
    segments.push({ path, number, offset, bytes });
    offset += bytes;
  }
  return segments;
}

/** Of all of them. */
export function bytesOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}
