import { LIST, SEARCH_MS } from '../../../../shared/transcripts/limits.ts';
import type { FoundTranscript, Hit, ListPlace } from '../../../../shared/transcripts/transcript.ts';
import { fold } from '../index/fold.ts';
import { gramsOfSearch } from '../index/grams.ts';
import type { IndexReader } from './index-reader.ts';
import { hitOf } from './matches.ts';

/** One look through a transcript, as far as it went. */
export interface Look {
  readonly hits: readonly Hit[];
  readonly hitCount: number;
  /** False: there may be more. */
  readonly whole: boolean;
  /** Where it goes on, where it is not whole and nothing was found. */
  readonly reached: number;
}

/** How one transcript is looked through: until `enough` hits, or the deadline, from where another look has `reached`. */
export type LookInto = (seq: number, enough: number, deadline: number, from: number) => Look;

export interface Page {
  readonly transcripts: readonly FoundTranscript[];
  readonly total: number;
  readonly hitCount: number;
  /** Null when all was looked through. */
  readonly next: ListPlace | null;
  /** False: `total` and `hitCount` are what was counted in time. */
  readonly counted: boolean;
}

/** A `ListPlace`, by the number that the transcript has in the index. */
interface Place {
  readonly seq: number;
  readonly within: number;
}

export interface PageOf {
  /** Transcripts to look through, newest first. */
  readonly order: readonly number[];
  readonly from: Place | null;
  readonly limit: number;
  /** Milliseconds in which a page is what was found by then. */
  readonly scanMs: number;
}

/**
 * A page of the transcripts in which something is found, newest first. Fills the page first, then counts what else there
 * is as far as time allows: the letters of a search come faster than a gigabyte can be counted.
 */
export function searchPage(
  reader: IndexReader,
  look: LookInto,
  { order, from, limit, scanMs }: PageOf,
): Page {
  const began = performance.now();
  const scanEnd = began + scanMs;
  const start = from === null ? 0 : Math.max(0, order.indexOf(from.seq));
  const transcripts: FoundTranscript[] = [];
  let [total, hitCount, counted] = [0, 0, true];
  let next: Place | null = null;
  const countEnd = began + SEARCH_MS.counting;
  for (const [index, seq] of order.entries()) {
    const isShown = index >= start && next === null;
    const within = seq === from?.seq ? from.within : 0;
    const deadline = isShown ? scanEnd : countEnd;
    if (performance.now() >= deadline) {
      counted = false;
      if (isShown) next = { seq, within };
      if (index >= start) break;
      continue;
    }
    const found = lookCounting(look, seq, countEnd, deadline, within);
    if (!found.whole) counted = false;
    if (found.hitCount === 0) {
      if (isShown && !found.whole) next = { seq, within: found.reached };
      continue;
    }
    total += 1;
    hitCount += found.hitCount;
    if (!isShown) continue;
    if (transcripts.length === limit) {
      next = { seq, within };
      continue;
    }
    const entry = reader.entry(seq);
    if (entry !== null)
      transcripts.push({ ...entry.summary, hits: [...found.hits], hitCount: found.hitCount });
  }
  return { transcripts, total, hitCount, next: listPlace(reader, next), counted };
}

function listPlace(reader: IndexReader, place: Place | null): ListPlace | null {
  const entry = place === null ? null : reader.entry(place.seq);
  return place === null || entry === null ? null : { id: entry.summary.id, within: place.within };
}

/** All hits while there is time to count them, then the first place with any. */
function lookCounting(look: LookInto, seq: number, countEnd: number, deadline: number, from: number): Look {
  const all = look(seq, Number.POSITIVE_INFINITY, countEnd, from);
  return all.whole || all.hitCount > 0 ? all : look(seq, 1, deadline, all.reached);
}

/** Looks into final text: only into the blocks that may hold it, where the index can tell. */
export function lookIntoText(
  reader: IndexReader,
  search: string,
): { look: LookInto; only: Map<number, number[]> | null } {
  const folded = fold(search);
  const words = gramsOfSearch(search);
  const only = words === null ? null : reader.candidates(words);
  const look: LookInto = (seq, enough, deadline, from) => {
    const hits: Hit[] = [];
    let hitCount = 0;
    for (const number of only?.get(seq) ?? (only === null ? reader.blocks(seq) : [])) {
      if (number < from) continue;
      if (hitCount >= enough || performance.now() >= deadline)
        return { hits, hitCount, whole: false, reached: number };
      const block = reader.block(number);
      if (block === null) continue;
      const found = linesWith(block.text, folded);
      if (found.length === 0) continue;
      hitCount += found.length;
      const times = hits.length < LIST.hitsPerTranscript ? block.times() : [];
      for (const { index, line } of found.slice(0, LIST.hitsPerTranscript - hits.length))
        hits.push(hitOf(line, folded, times[index] ?? 0, block.firstLine + index));
    }
    return { hits, hitCount, whole: true, reached: 0 };
  };
  return { look, only };
}

/** Lines of a block that hold the search, by their number in it. */
export function linesWith(text: string, folded: string): { index: number; line: string }[] {
  // No line holds the end of one.
  if (folded.includes('\n')) return [];
  const searched = fold(text);
  const found: { index: number; line: string }[] = [];
  let [index, counted] = [0, 0];
  for (let at = searched.indexOf(folded); at !== -1; ) {
    const start = searched.lastIndexOf('\n', at) + 1;
    const end = searched.indexOf('\n', at);
    for (
      let next = searched.indexOf('\n', counted);
      next !== -1 && next < start;
      next = searched.indexOf('\n', counted)
    ) {
      index += 1;
      counted = next + 1;
    }
    found.push({ index, line: text.slice(start, end === -1 ? text.length : end) });
    if (end === -1) break;
    at = searched.indexOf(folded, end);
  }
  return found;
}
