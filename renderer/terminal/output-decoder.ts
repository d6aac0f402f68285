import { CELL_JOINS_MAX } from '../../shared/terminal/limits.ts';
import { boundMarkRuns, marksAtEnd } from './mark-runs.ts';

const NOTHING = new Uint8Array(0);

/**
 * One session's output bytes as xterm may have them, whole characters at a time: a character that is cut waits for its
 * rest (B01). xterm reads good UTF-8 faster than a decoder makes text of it, so it gets the bytes as they are. Of bytes
 * that are not UTF-8 it would lose some without a mark, and it does not bound marks (B02, B30): such pieces become text.
 */
export class OutputDecoder {
  // ignoreBOM: a byte order mark is output like any other.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #cut: Uint8Array = NOTHING;
  /** The marks at the end of what was taken so far: a run goes on over pieces. */
  #marks = '';

  take(bytes: Uint8Array): Uint8Array | string {
    const all = this.#cut.length === 0 ? bytes : join(this.#cut, bytes);
    const end = all.length - cutLength(all);
    this.#cut = all.slice(end);
    const whole = all.subarray(0, end);
    const marks = this.#marks;
    if (isPlain(whole, marks.length)) {
      const tail = endBehindAscii(whole);
      const before = tail.length === whole.length ? marks : '';
      this.#marks = marksAtEnd(before + this.#decoder.decode(tail));
      return whole;
    }
    const bounded = boundMarkRuns(marks + this.#decoder.decode(whole));
    this.#marks = marksAtEnd(bounded);
    return bounded.slice(marks.length);
  }

  /** What is left when no more comes: one replacement mark for a character that stays cut (B01), else nothing. */
  end(): string {
    const text = this.#decoder.decode(this.#cut);
    this.#cut = NOTHING;
    return text;
  }
}

/** Whole characters in parts of `length` bytes, or up to 3 more: of a character in two parts xterm may lose one (B01). */
export function* slicesOf(output: Uint8Array | string, length: number): Generator<Uint8Array | string> {
  let end = 0;
  for (let at = 0; at < output.length; at = end) {
    end = at + length;
    // xterm itself holds the half of a surrogate pair.
    while (typeof output !== 'string' && isContinuation(output[end] as number)) end += 1;
    yield output.slice(at, end);
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

/** How many bytes at the end begin a character without ending it: 0 to 3. */
function cutLength(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length += 1) {
    const byte = bytes[bytes.length - length] as number;
    if (!isContinuation(byte)) return characterLength(byte) > length ? length : 0;
  }
  return 0;
}

/** Whether these are whole characters of well-formed UTF-8, not too many in a row that could be marks, with `marksBefore`. */
function isPlain(bytes: Uint8Array, marksBefore: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let marks = marksBefore;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte < 0x80) {
      marks = 0;
      at = endOfAscii(view, at + 1);
      continue;
    }
    const length = characterLength(byte);
    marks += 1;
    if (length === 1 || marks > CELL_JOINS_MAX || !endsWell(bytes, at, length)) return false;
    at += length;
  }
  return true;
}

/** What follows the last ASCII byte. */
function endBehindAscii(bytes: Uint8Array): Uint8Array {
  let from = bytes.length;
  while (from > 0 && (bytes[from - 1] as number) >= 0x80) from -= 1;
  return bytes.subarray(from);
}

/** The high bits of four bytes: none is set in ASCII. */
const NOT_ASCII = 0x80808080;

/** A place up to which there is only ASCII from `at` on, eight bytes at a time: most output is nothing else. */
function endOfAscii(view: DataView, at: number): number {
  let end = at;
  while (end + 8 <= view.byteLength) {
    if (((view.getUint32(end) | view.getUint32(end + 4)) & NOT_ASCII) !== 0) break;
    end += 8;
  }
  return end;
}

/** Bytes of the character that begins with `first`; 1 as well for a byte that can begin none. */
function characterLength(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** Whether the character of `length` bytes at `at` is well-formed (Unicode, table 3-7). */
function endsWell(bytes: Uint8Array, at: number, length: number): boolean {
  for (let i = 1; i < length; i += 1) {
    if (!isContinuation(bytes[at + i] as number)) return false;
  }
  const second = bytes[at + 1] as number;
  switch (bytes[at]) {
    case 0xe0:
      return second >= 0xa0;
    case 0xed:
      return second < 0xa0;
    case 0xf0:
      return second >= 0x90;
    case 0xf4:
      return second < 0x90;
    default:
      return true;
  }
}

/** A missing byte, which is `undefined`, is none. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
