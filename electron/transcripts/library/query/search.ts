import { LIST, SEARCH_MS } from '../../../../shared/transcripts/limits.ts';
import type { FoundTranscript, Hit } from '../../../../shared/transcripts/transcript.ts';
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
}

/** What looks through one transcript: until `enough` hits, or the deadline. */
export type LookInto = (seq: number, enough: number, deadline: number) => Look;

export interface Page {
  readonly transcripts: readonly FoundTranscript[];
  readonly total: number;
  readonly hitCount: number;
  readonly more: boolean;
  /** False: `total` and `hitCount` are what was counted in time. */
  readonly counted: boolean;
}

export interface PageOf {
  /** Transcripts to look through, newest first. */
  readonly order: readonly number[];
  readonly after: number | null;
  readonly limit: number;
}

/**
 * A page of the transcripts in which something is found, newest first. Fills the page first, then counts what else there
 * is as far as time allows: the letters of a search come faster than a gigabyte can be counted.
 */
export function searchPage(reader: IndexReader, look: LookInto, { order, after, limit }: PageOf): Page {
  const began = performance.now();
  const scanEnd = began + SEARCH_MS.scanning;
  const start = after === null ? 0 : order.indexOf(after) + 1;
  const transcripts: FoundTranscript[] = [];
  let [total, hitCount] = [0, 0];
  let [more, counted] = [false, true];
  const countEnd = began + SEARCH_MS.counting;
  for (const [index, seq] of order.entries()) {
    const isShown = index >= start && !more;
    const deadline = isShown ? scanEnd : countEnd;
    if (performance.now() >= deadline) {
      counted = false;
      if (isShown) more = true;
      if (index >= start) break;
      continue;
    }
    const found = lookCounting(look, seq, countEnd, deadline);
    if (!found.whole) counted = false;
    if (found.hitCount === 0) continue;
    total += 1;
    hitCount += found.hitCount;
    if (!isShown) continue;
    if (transcripts.length === limit) {
      more = true;
      continue;
    }
    const entry = reader.entry(seq);
    if (entry !== null)
      transcripts.push({ ...entry.summary, hits: [...found.hits], hitCount: found.hitCount });
  }
  return { transcripts, total, hitCount, more, counted };
}

/** All hits while there is time to count them, then the first place with any. */
function lookCounting(look: LookInto, seq: number, countEnd: number, deadline: number): Look {
  const all = look(seq, Number.POSITIVE_INFINITY, countEnd);
  return all.whole || all.hitCount > 0 ? all : look(seq, 1, deadline);
}

/** Looks into final text: only into the blocks that may hold it, where the index can tell. */
export function lookIntoText(
  reader: IndexReader,
  search: string,
): { look: LookInto; only: Map<number, number[]> | null } {
  const folded = fold(search);
  const words = gramsOfSearch(search);
  const only = words === null ? null : reader.candidates(words);
  const look: LookInto = (seq, enough, deadline) => {
    const hits: Hit[] = [];
    let hitCount = 0;
    for (const number of only?.get(seq) ?? (only === null ? reader.blocks(seq) : [])) {
      if (hitCount >= enough || performance.now() >= deadline) return { hits, hitCount, whole: false };
      const block = reader.block(number);
      if (block === null) continue;
      const found = linesWith(block.text, folded);
      if (found.length === 0) continue;
      hitCount += found.length;
      const times = hits.length < LIST.hitsPerTranscript ? block.times() : [];
      for (const { index, line } of found.slice(0, LIST.hitsPerTranscript - hits.length))
        hits.push(hitOf(line, folded, times[index] ?? 0, block.firstLine + index));
    }
    return { hits, hitCount, whole: true };
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
