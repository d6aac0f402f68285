/** Bytes of the longest start of a character that is not whole yet. */
const PART_MAX_BYTES = 3;

/**
 * Decodes UTF-8 that comes in pieces: the text is that of all pieces in one, wherever they were cut. What is no UTF-8 becomes
 * U+FFFD (E26).
 */
export class Utf8Reader {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #part: Uint8Array = new Uint8Array(0);

  /** Whether the bytes so far end within a character. */
  get isWithinCharacter(): boolean {
    return this.#part.length > 0;
  }

  read(bytes: Uint8Array): string {
    const all = this.#part.length === 0 ? bytes : Buffer.concat([this.#part, bytes]);
    const whole = all.length - partLength(all);
    this.#part = Uint8Array.from(all.subarray(whole));
    return this.#decoder.decode(all.subarray(0, whole));
  }
}

/** How many bytes at the end are the start of a character whose rest may still come. */
function partLength(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(PART_MAX_BYTES, bytes.length); length++) {
    const byte = bytes[bytes.length - length] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    return length < characterLength(byte) && isPossible(bytes.subarray(bytes.length - length)) ? length : 0;
  }
  return 0;
}

/** Bytes of the character that starts with `lead`; 0 where none does. */
function characterLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/** Overlong forms, surrogates and what lies beyond U+10FFFF are wrong from the second byte on. */
function isPossible([lead = 0, second]: Uint8Array): boolean {
  if (second === undefined) return true;
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second <= 0x9f;
  if (lead === 0xf0) return second >= 0x90;
  return lead !== 0xf4 || second <= 0x8f;
}
