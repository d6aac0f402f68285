import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { EndedHow } from '../../../../shared/transcripts/transcript.ts';
import type { CastEvent, Ending } from '../../cast/events.ts';
import type { CastHeader } from '../../cast/header.ts';
import { readSegments } from '../../cast/reader.ts';
import { bytesOf, type Segment, segmentsOf } from '../../cast/segments.ts';

/** What lists say of a transcript and its first line tells. */
export interface Facts {
  readonly kind: 'shell' | 'governed' | 'imported';
  readonly title: string;
  readonly profile: string;
  readonly engine: string | null;
  readonly product: string | null;
  readonly started: string | null;
  readonly startedMs: number;
  readonly cols: number;
  readonly rows: number;
  /** Nothing is added to it: an import of Airlock's gets its name when all of it is there. */
  readonly whole: boolean;
}

/** Enough for the first line of any recording of Airlock. */
const HEADER_MAX_BYTES = 256 * 1024;

/** Of a recording that cannot be read, and why. */
export function unreadableFacts(folder: string, why: string): { facts: Facts; ended: EndedAs } {
  const words = `Cannot be read: ${why}`;
  const facts = factsOfHeader(null, fileTime(folder, []));
  return { facts: { ...facts, title: words }, ended: { how: 'unknown', words } };
}

/** Facts of a recording, and how large it is. Throws where its folder cannot be listed, and NoSegmentError. */
export function factsOf(folder: string): { facts: Facts; bytes: number } {
  const segments = segmentsOf(folder);
  const bytes = bytesOf(segments);
  const [first] = readSegments(segments, { until: Math.min(bytes, HEADER_MAX_BYTES) });
  const header = first?.kind === 'header' ? first.header : null;
  return { facts: factsOfHeader(header, fileTime(folder, segments)), bytes };
}

function factsOfHeader(header: CastHeader | null, fileMs: number): Facts {
  if (header === null) {
    const title = 'A recording without a readable beginning';
    const [cols, rows] = [80, 24];
    return {
      kind: 'imported',
      title,
      profile: '',
      engine: null,
      product: null,
      started: null,
      startedMs: fileMs,
      cols,
      rows,
      whole: false,
    };
  }
  const { airlock, term, timestamp, title, command } = header;
  const started = timestamp === undefined ? null : isoOf(timestamp * 1_000);
  return {
    kind: airlock?.kind ?? 'imported',
    title: title ?? command ?? '',
    profile: airlock?.profileId ?? '',
    engine: airlock?.engine ?? null,
    product: airlock?.product ?? null,
    started,
    startedMs: started === null ? fileMs : Date.parse(started),
    cols: term.cols,
    rows: term.rows,
    whole: airlock?.kind === 'imported',
  };
}

/** Null for what is no date: a damaged header may say any number. */
function isoOf(ms: number): string | null {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function fileTime(folder: string, [first]: readonly Segment[]): number {
  try {
    return Math.round(statSync(first?.path ?? join(folder, '.')).mtimeMs);
  } catch {
    return 0;
  }
}

export interface EndedAs {
  readonly how: EndedHow;
  readonly words: string;
}

export const RUNNING: EndedAs = { how: 'running', words: 'Still running.' };
export const INTERRUPTED: EndedAs = {
  how: 'interrupted',
  words: 'Airlock ended before the session did; the recording has no end.',
};
export const WITHOUT_END: EndedAs = { how: 'unknown', words: 'The recording does not say how it ended.' };

/** Null for what is no end. */
export function endedAs(event: CastEvent): EndedAs | null {
  if (event.kind === 'ended') return { how: howOf(event.ending), words: wordsOf(event.ending) };
  if (event.kind !== 'exit') return null;
  const how = event.status === '0' ? 'success' : /^\d+$/.test(event.status) ? 'failure' : 'unknown';
  return { how, words: how === 'unknown' ? WITHOUT_END.words : `Exit code ${event.status}.` };
}

function howOf({ outcome }: Ending): EndedHow {
  switch (outcome.kind) {
    case 'exited':
      return outcome.code === 0 ? 'success' : 'failure';
    case 'signalled':
      return 'signal';
    default:
      return outcome.kind;
  }
}

function wordsOf(ending: Ending): string {
  const { outcome, removed } = ending;
  const unconfirmed = removed ? '' : ' Its sandbox could not be confirmed gone.';
  switch (outcome.kind) {
    case 'exited':
      return `Exit code ${outcome.code}.${unconfirmed}`;
    case 'signalled':
      return `Ended by ${outcome.name} (signal ${outcome.signal}).${unconfirmed}`;
    case 'concluded':
      return sentence(outcome.reason) + unconfirmed;
    case 'unknown':
      return `Outcome unknown: ${sentence(outcome.reason)}${unconfirmed}`;
  }
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
