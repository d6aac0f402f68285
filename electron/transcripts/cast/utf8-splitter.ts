const EMPTY = new Uint8Array(0);

/**
 * Holds back a character that is cut between two chunks, so that what it gives is whole characters wherever the bytes are
 * UTF-8 (B02). Never holds more than 3 bytes.
 */
export class Utf8Splitter {
  #held: Uint8Array = EMPTY;

  /** The bytes to go on with, in order: a view into `chunk` unless something was held. */
  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const end = bytes.length - cutLength(bytes);
    this.#held = end === bytes.length ? EMPTY : Uint8Array.from(bytes.subarray(end));
    return end === bytes.length ? bytes : bytes.subarray(0, end);
  }

  /** What no further chunk will complete. */
  flush(): Uint8Array {
    const held = this.#held;
    this.#held = EMPTY;
    return held;
  }
}

/** How many of the last bytes are the beginning of a character that further bytes may complete: 0 to 3. */
function cutLength(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return needed(byte) > back ? back : 0;
  }
  return 0;
}

function needed(lead: number): number {
  if (lead >= 0xf8) return 1;
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
