import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TITLE } from './limits.ts';
import { cleanTitle } from './title.ts';

describe('cleanTitle (B15)', () => {
  it.each([
    ['plain', 'vim notes.txt', 'vim notes.txt'],
    ['markup stays text', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['direction override', 'a\u202egpj.exe', 'agpj.exe'],
    ['zero width and soft hyphen', 'a\u200bb\u00adc\ufeff', 'abc'],
    ['controls, C1 included', 'x\u0007\u001b[31m\u009b1my\0', 'x[31m1my'],
    ['line breaks become blanks', 'one\r\ntwo\u2028three', 'one twothree'],
    ['letters in all scripts', 'é 界 😀', 'é 界 😀'],
    ['blanks of every kind', 'a\u00a0\u3000 b\u2800c\u3164d', 'a bcd'],
    ['nothing readable', '\u202e\u200b \t', ''],
    ['nothing but fillers', '\u2800\u3164\u115f\ufe0f\u2800', ''],
  ])('%s', (_name, raw, clean) => {
    expect(cleanTitle(raw)).toBe(clean);
  });

  it('is at most 200 characters, without half a surrogate pair', () => {
    expect(cleanTitle('😀'.repeat(50_000))).toBe('😀'.repeat(TITLE.maxChars));
    expect(cleanTitle('x'.repeat(100_000))).toHaveLength(TITLE.maxChars);
  });

  it('never keeps a control or format character, and cleaning twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        const clean = cleanTitle(raw);
        expect(clean).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect([...clean].length).toBeLessThanOrEqual(TITLE.maxChars);
        expect(cleanTitle(clean)).toBe(clean);
      }),
    );
  });
});
