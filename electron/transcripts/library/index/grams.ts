import { fold } from './fold.ts';

/**
 * What FTS5 indexes: not the text but which three characters in a row it holds, each as one word of five letters. FTS5's own
 * trigram tokenizer takes every place of the text instead, and takes three times as long; with the text looked at anyway to
 * show a hit, which block may hold it is enough. The words hold no character that means anything to FTS5.
 */
const TRIGRAMS = 1 << 21;
/**
 * Four digits in a row are words too: a log with times in it soon has every three, and a number would have to be looked for
 * everywhere.
 */
const NUMBERS = 10_000;
const seen = new Uint32Array(TRIGRAMS + NUMBERS);
let round = 0;

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;

const WORD = 6;
let words = Buffer.alloc(WORD * 16 * 1024);

/** Two characters in a row are words too where one of them is none of ASCII: a word of Chinese has two. */
const PAIR = 0x5bd1e995;

/** The words of a text, each once, with blanks between them. */
export function gramsOf(text: string): string {
  const folded = fold(text);
  const now = ++round;
  let end = 0;
  let [before, last] = [0, 0];
  /** Three characters of ASCII, 7 bits each, once as many came in a row. */
  let ascii = 0;
  let inRow = 0;
  /** The last four digits, and how many came in a row. */
  let number = 0;
  let digits = 0;
  for (let at = 0; at < folded.length; at++) {
    const unit = folded.charCodeAt(at);
    if (unit <= 0x7f) {
      ascii = ((ascii << 7) | unit) & (TRIGRAMS - 1);
      inRow += 1;
    } else inRow = 0;
    if (inRow > 2) {
      if (seen[ascii] !== now) end = add(ascii, end);
    } else {
      if (at > 1) end = add(hashed(before, last, unit), end);
      if (at > 0 && (last | unit) > 0x7f) end = add(pair(last, unit), end);
    }
    if (unit >= DIGIT_0 && unit <= DIGIT_9) {
      number = (number * 10 + unit - DIGIT_0) % NUMBERS;
      digits += 1;
      if (digits > 3) end = add(TRIGRAMS + number, end);
    } else digits = 0;
    before = last;
    last = unit;
  }
  return words.toString('latin1', 0, end);
}

/** What a block has to hold to hold this; null when nothing can be said, as of two letters. */
export function gramsOfSearch(search: string): string | null {
  const grams = fold(search).length >= 2 ? gramsOf(search).trim() : '';
  return grams === '' ? null : grams;
}

function add(kind: number, end: number): number {
  if (seen[kind] === round) return end;
  seen[kind] = round;
  if (end + WORD > words.length) words = Buffer.concat([words, Buffer.alloc(words.length)]);
  words[end] = letter(kind >>> 17);
  words[end + 1] = letter((kind >>> 13) & 0xf);
  words[end + 2] = letter((kind >>> 9) & 0xf);
  words[end + 3] = letter((kind >>> 5) & 0xf);
  words[end + 4] = letterOrDigit(kind & 0x1f);
  words[end + 5] = 0x20;
  return end + WORD;
}

/** Three characters that are not all of ASCII share words with others, which costs looking into a block for nothing. */
function hashed(a: number, b: number, c: number): number {
  return (Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)) >>> 11;
}

function pair(a: number, b: number): number {
  return (Math.imul(a, PAIR) ^ Math.imul(b, 0xc2b2ae35)) >>> 11;
}

function letter(value: number): number {
  return 0x61 + value;
}

function letterOrDigit(value: number): number {
  return value < 26 ? 0x61 + value : 0x30 + value - 26;
}
