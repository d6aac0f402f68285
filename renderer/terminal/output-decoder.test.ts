import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CELL_JOINS_MAX } from '../../shared/terminal/limits.ts';
import { boundMarkRuns } from './mark-runs.ts';
import { OutputDecoder, slicesOf } from './output-decoder.ts';

function read(chunks: readonly Uint8Array[]) {
  const decoder = new OutputDecoder();
  const pieces = [...chunks.map((chunk) => decoder.take(chunk)), decoder.end()];
  const text = pieces.map((piece) => (typeof piece === 'string' ? piece : strict(piece))).join('');
  return { pieces, text };
}

/** Throws when the bytes are not whole characters of good UTF-8. */
function strict(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

const encode = (text: string) => new TextEncoder().encode(text);

describe('OutputDecoder', () => {
  it('leaves good UTF-8 as bytes and makes text of the rest (B02)', () => {
    const taken = (bytes: Uint8Array) => typeof new OutputDecoder().take(bytes);
    for (const text of ['plain \x1b[31mred', 'À—界😀\u0301', '\ufeff\0\x7f']) {
      expect(taken(encode(text)), text).toBe('object');
    }
    // A lone continuation, overlong forms, a surrogate, beyond Unicode, bytes that never occur, a start cut short.
    for (const bytes of [
      [0x80],
      [0xc0, 0x80],
      [0xc1, 0xbf],
      [0xe0, 0x9f, 0xbf],
      [0xed, 0xa0, 0x80],
      [0xf0, 0x8f, 0xbf, 0xbf],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
      [0xff],
      [0xe7, 0x95, 0x41],
    ]) {
      expect(taken(Uint8Array.from(bytes)), bytes.join()).toBe('string');
    }
  });

  it('is the same for every cut: what a decoder makes of the whole, with its marks bounded (B01, B02, B30)', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 5 }).map(encode),
      fc.uint8Array({ maxLength: 6 }),
      fc.constantFrom(
        ...['—', '👩‍💻', '𐀀', 'é', '\ufeff', '\u0301'.repeat(8), '\u{e0100}'.repeat(8)].map(encode),
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(40)), (pieces, cuts) => {
        const whole = Uint8Array.from(pieces.flatMap((bytes) => [...bytes]));
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(whole.subarray(at, at + cut));
          at += cut;
        }
        chunks.push(whole.subarray(at));
        const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole);
        expect(read(chunks).text).toBe(boundMarkRuns(decoded));
      }),
      { numRuns: 500 },
    );
  });

  it('bounds piles of marks, wherever they are and however they come (B30)', () => {
    for (const mark of ['\u0301', '\u200d', '\u{e0100}']) {
      const { text } = read([encode(`a${mark.repeat(1_000)}b`)]);
      expect(text).toBe(`a${mark.repeat(CELL_JOINS_MAX)}b`);
      const piece = encode(mark.repeat(CELL_JOINS_MAX));
      expect(read([encode('a'), ...new Array(1_000).fill(piece), encode('b')]).text).toBe(text);
    }
  });

  it('ends a character that stays cut with one replacement mark (B01)', () => {
    expect(read([Uint8Array.of(0x78, 0xe7), Uint8Array.of(0x95)]).text).toBe('x\ufffd');
    expect(read([encode('x')]).pieces.at(-1)).toBe('');
  });
});

describe('slices of whole characters', () => {
  const text = 'it’s — an “example” … of “。” 👩‍💻 text 恀 À\u0301 ───\r\n';

  it('are good UTF-8 each, of any size, and lose nothing (B01)', () => {
    const bytes = encode(text.repeat(3));
    for (let length = 1; length <= bytes.length; length += 1) {
      const slices = [...slicesOf(bytes, length)] as Uint8Array[];
      expect(slices.map(strict).join('')).toBe(text.repeat(3));
      for (const slice of slices) expect(slice.length).toBeLessThan(length + 4);
    }
  });

  it('of text are as long as they are wanted', () => {
    expect([...slicesOf('abcde', 2)]).toEqual(['ab', 'cd', 'e']);
    expect([...slicesOf('', 2)]).toEqual([]);
  });
});
