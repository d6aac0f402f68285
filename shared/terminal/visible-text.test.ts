import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenCount, visibleParts } from './visible-text.ts';

function shown(text: string): string {
  return visibleParts(text)
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'code' ? `<${part.label}>` : '<end>'))
    .join('');
}

describe('visibleParts', () => {
  it('B11: shows the controls of a hostile paste', () => {
    expect(shown('safe\x1b[201~\rtouch PWNED\r\n')).toBe('safe<ESC>[201~<end>touch PWNED<end>');
    expect(shown('\x00\x03\x15\x7f\x9b201~')).toBe('<NUL><ETX><NAK><U+007F><U+009B>201~');
  });

  it('B24: shows marks of direction, width and filling', () => {
    expect(shown('a\u202Egpj.exe')).toBe('a<U+202E>gpj.exe');
    for (const code of [0x2066, 0x2069, 0x200b, 0xfeff, 0xad, 0xe0041, 0x3164, 0x2028, 0xe000, 0x378]) {
      const label = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
      expect(shown(`x${String.fromCodePoint(code)}y`)).toBe(`x<${label}>y`);
    }
  });

  it('leaves letters, marks and emoji alone', () => {
    for (const text of ['é e\u0301 界 😀', 'naïve Ünïcödé', 'a b', 'नमस्ते']) expect(shown(text)).toBe(text);
  });

  it('shows a lone surrogate', () => {
    expect(shown('a\ud800b')).toBe('a<U+D800>b');
  });

  it('B24: passes nothing of the hidden categories raw, and loses nothing that shows', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const raw = visibleParts(text).flatMap((part) => (part.kind === 'text' ? [part.text] : []));
        expect(raw.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u);
        for (const part of raw) expect(text).toContain(part);
      }),
    );
  });
});

it('counts what is hidden, not what is ordinary', () => {
  expect(hiddenCount('a\tb\r\nc')).toBe(0);
  expect(hiddenCount('a\u202Eb\x1b')).toBe(2);
});
