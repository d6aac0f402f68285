const LETTER = 1;
const ADJACENT = 3;
const WORD_START = 2;
/** For a text that was typed to its end: "new tab" means "New tab" before "New tab with profile…". */
const WHOLE = 1;

/**
 * How well `query` fits `text` as a subsequence, ignoring case and blanks in the query: higher is better, null is no
 * match. Runs of letters and starts of words count most, so "sr" finds "Split right" before "Search scrollback". The length of the text does not
 * count: what fits equally well keeps its order.
 * Takes query × text steps; both are a line at most.
 */
export function fuzzyScore(query: string, text: string): number | null {
  const given = text.toLowerCase();
  const wanted = query.toLowerCase().replaceAll(/\s+/g, '');
  /** best[i]: the best score of the letters so far where the last one stands at i. */
  let best: number[] | null = null;
  for (const letter of wanted) {
    best = nextRow(best, letter, given);
  }
  const top = best === null ? 0 : Math.max(...best);
  if (top === Number.NEGATIVE_INFINITY) return null;
  return wanted === given.replaceAll(/\s+/g, '') ? top + WHOLE : top;
}

function nextRow(previous: number[] | null, letter: string, text: string): number[] {
  let bestBefore = previous === null ? 0 : Number.NEGATIVE_INFINITY;
  const row: number[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const adjacent = (previous?.[i - 1] ?? Number.NEGATIVE_INFINITY) + ADJACENT;
    const score = Math.max(bestBefore, adjacent) + LETTER + (startsWord(text, i) ? WORD_START : 0);
    row.push(text[i] === letter ? score : Number.NEGATIVE_INFINITY);
    bestBefore = Math.max(bestBefore, previous?.[i] ?? Number.NEGATIVE_INFINITY);
  }
  return row;
}

function startsWord(text: string, index: number): boolean {
  return index === 0 || /[^\p{L}\p{N}]/u.test(text[index - 1] ?? '');
}
