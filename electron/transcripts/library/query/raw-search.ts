import { LIST } from '../../../../shared/transcripts/limits.ts';
import type { Hit } from '../../../../shared/transcripts/transcript.ts';
import type { CastEvent } from '../../cast/events.ts';
import { readEvents } from '../../cast/reader.ts';
import { NoSegmentError } from '../../cast/segments.ts';
import { fold } from '../index/fold.ts';
import { hitOf } from './matches.ts';
import type { LookInto } from './search.ts';

/** Units of output that are searched at once. */
const WINDOW_CHARS = 256 * 1024;

/**
 * Looks into what programs wrote, overwritten and hidden text and sequences included, by reading the recordings. A match
 * may lie across events; its time is that of the event in which it ends.
 */
export function lookIntoRaw(folderOf: (seq: number) => string | null, search: string): LookInto {
  const folded = fold(search);
  return (seq, enough, deadline, from) => {
    const hits: Hit[] = [];
    let hitCount = 0;
    const folder = folderOf(seq);
    if (folder === null) return { hits, hitCount, whole: true, reached: from };
    const isEnough = () => hitCount >= enough || performance.now() >= deadline;
    const window = new RawWindow(folded, from, isEnough, (line, atMs) => {
      hitCount += 1;
      if (hits.length < LIST.hitsPerTranscript) hits.push(hitOf(line(), folded, atMs, null));
    });
    let whole = true;
    for (const event of eventsOf(folder, from)) {
      if (event.kind === 'output') window.take(event);
      whole = !isEnough();
      if (!whole) break;
    }
    if (whole || hitCount === 0) window.search();
    return { hits, hitCount, whole: whole && !isEnough(), reached: window.begin };
  };
}

/** Of what cannot be read none: it holds nobody's search up. */
function* eventsOf(folder: string, from: number): Generator<CastEvent> {
  try {
    yield* readEvents(folder, { from });
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isGone && !(error instanceof NoSegmentError)) throw error;
  }
}

/** Output in pieces that overlap by what a match could lack. */
class RawWindow {
  readonly #folded: string;
  readonly #isEnough: () => boolean;
  readonly #found: (line: () => string, atMs: number) => void;
  #text = '';
  /** Where each event's output ends in the text, with its time and its place in the recording. */
  #ends: { end: number; atMs: number; offset: number }[] = [];
  #begin: number;

  /**
   * `begin`: a place in the recording. `isEnough` is asked for every window and every match: one event may have megabytes of
   * either.
   */
  constructor(
    folded: string,
    begin: number,
    isEnough: () => boolean,
    found: (line: () => string, atMs: number) => void,
  ) {
    this.#folded = folded;
    this.#begin = begin;
    this.#isEnough = isEnough;
    this.#found = found;
  }

  /** A place in the recording before which all was searched. */
  get begin(): number {
    return this.#ends[0]?.offset ?? this.#begin;
  }

  take({ text, atMs, offset }: Extract<CastEvent, { kind: 'output' }>): void {
    for (let at = 0; at < text.length && !this.#isEnough(); at += WINDOW_CHARS) {
      this.#text += text.slice(at, at + WINDOW_CHARS);
      this.#ends.push({ end: this.#text.length, atMs, offset });
      if (this.#text.length >= WINDOW_CHARS) this.search();
    }
  }

  search(): void {
    const searched = fold(this.#text);
    let behind = 0;
    let event = 0;
    for (let at = searched.indexOf(this.#folded); at !== -1; at = searched.indexOf(this.#folded, behind)) {
      behind = at + this.#folded.length;
      while (event < this.#ends.length - 1 && (this.#ends[event]?.end ?? 0) < behind) event += 1;
      const found = at;
      this.#found(() => this.#around(found), this.#ends[event]?.atMs ?? 0);
      if (this.#isEnough()) return;
    }
    const kept = Math.min(this.#text.length - behind, this.#folded.length - 1);
    const cut = this.#text.length - kept;
    this.#text = this.#text.slice(cut);
    // The last event may go on behind what was taken of it.
    this.#ends = this.#ends
      .filter(({ end }, index, { length }) => end > cut || index === length - 1)
      .map((event) => ({ ...event, end: event.end - cut }));
  }

  /** The line of a match, as far as it is here. */
  #around(at: number): string {
    const start = Math.max(this.#text.lastIndexOf('\n', at) + 1, at - LIST.hitChars);
    const end = this.#text.indexOf('\n', at + this.#folded.length);
    const last = at + this.#folded.length + LIST.hitChars;
    return this.#text.slice(start, end === -1 ? last : Math.min(end, last)).replace(/\r$/, '');
  }
}
