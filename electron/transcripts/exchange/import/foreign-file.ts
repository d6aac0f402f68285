import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { CAST_LINE_MAX_BYTES, IMPORT_MAX_BYTES } from '../../../../shared/transcripts/limits.ts';
import { type Line, LineSplitter } from '../../cast/line-splitter.ts';
import { type ForeignEvent, type ForeignHeader, ImportError } from './foreign-event.ts';
import { readHeader } from './foreign-header.ts';
import { ForeignDecoder } from './foreign-lines.ts';

const MIB = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** A v1 file is one value, which is held whole. */
const V1_MAX_BYTES = 64 * MIB;

export interface ForeignRecording {
  readonly header: ForeignHeader;
  /** Taken once. Throws ImportError where the file is wrong. */
  readonly events: Iterable<ForeignEvent>;
}

/** Reads a file line by line, v2 and v3, or whole, v1. Throws ImportError. */
export function readForeign(path: string): ForeignRecording {
  const { size } = statSync(path);
  if (size === 0) throw new ImportError(null, 'The file is empty.');
  if (size > IMPORT_MAX_BYTES) {
    throw new ImportError(null, `The file has more than ${IMPORT_MAX_BYTES / MIB} MiB.`);
  }
  const lines = linesOf(path);
  const first = lines.next();
  const text = first.done ? '' : first.value.text;
  const value = text === null ? undefined : json(text.replace(/^\ufeff/, ''));
  if (value === undefined || isVersion1(value)) {
    lines.return(undefined);
    return readVersion1(path, size, text === null);
  }
  const header = readHeader(value);
  return { header, events: eventsOf(lines, header) };
}

function* eventsOf(lines: Iterator<NumberedLine>, { version }: ForeignHeader): Generator<ForeignEvent> {
  const decoder = new ForeignDecoder(version);
  for (let next = lines.next(); !next.done; next = lines.next()) {
    const { text, number, isTorn } = next.value;
    if (text === null) throw new ImportError(number, `it has more than ${CAST_LINE_MAX_BYTES / MIB} MiB.`);
    if (text.trim() === '' || (version === 3 && text.startsWith('#'))) continue;
    const value = json(text);
    // What died while it recorded leaves half a line at the end.
    if (value === undefined && isTorn) return;
    if (value === undefined) throw new ImportError(number, 'it is no JSON.');
    const event = decoder.event(value, number);
    if (event !== null) yield event;
  }
}

function readVersion1(path: string, size: number, isOneLine: boolean): ForeignRecording {
  if (size > V1_MAX_BYTES && isOneLine) {
    throw new ImportError(1, `it has more than ${CAST_LINE_MAX_BYTES / MIB} MiB.`);
  }
  const value = size > V1_MAX_BYTES ? undefined : json(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
  if (value === undefined) throw new ImportError(1, 'this is no header of an asciicast file, nor JSON.');
  const header = readHeader(value);
  const stdout: unknown = Object(value).stdout;
  if (header.version !== 1 || !Array.isArray(stdout)) {
    throw new ImportError(1, 'a file of one JSON value must be version 1, with its output in `stdout`.');
  }
  return { header, events: eventsOfVersion1(stdout) };
}

function* eventsOfVersion1(stdout: readonly unknown[]): Generator<ForeignEvent> {
  const decoder = new ForeignDecoder(1);
  for (const [index, entry] of stdout.entries()) {
    let event: ForeignEvent | null;
    try {
      event = decoder.event(entry, index + 1);
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      throw new ImportError(
        null,
        `Entry ${index + 1} of \`stdout\`${error.message.replace(/^Line \d+/, '')}`,
      );
    }
    if (event !== null) yield event;
  }
}

interface NumberedLine extends Line {
  /** From 1. */
  readonly number: number;
  /** The last, without its end. */
  readonly isTorn: boolean;
}

function* linesOf(path: string): Generator<NumberedLine> {
  const lines = new LineSplitter(0, CAST_LINE_MAX_BYTES);
  let number = 1;
  let endsWithLineEnd = true;
  for (const chunk of chunksOf(path)) {
    endsWithLineEnd = chunk.at(-1) === 0x0a;
    for (const line of lines.push(chunk)) {
      yield { ...line, number, isTorn: false };
      number += 1;
    }
  }
  if (endsWithLineEnd) return;
  for (const line of lines.push(Buffer.from('\n'))) yield { ...line, number, isTorn: true };
}

function* chunksOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
      yield buffer.subarray(0, read);
  } finally {
    closeSync(file);
  }
}

function isVersion1(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === 1;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
