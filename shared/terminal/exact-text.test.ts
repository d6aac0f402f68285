import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiJson, codeCount, exactParts } from './exact-text.ts';

function shown(text: string): string {
  return exactParts(text)
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'code' ? `<${part.label}>` : '|'))
    .join('');
}

describe('exactParts', () => {
  it.each([
    ['a\u202Egpj.exe', 'a<U+202E>gpj.exe'],
    ['\x1b[2K\rsafe', '<ESC>[2K<CR>|safe'],
    ['one\ntwo\r\nthree', 'one<LF>|two<CRLF>|three'],
    ['cat\ta', 'cat<TAB>a'],
    [`ls${' '.repeat(400)}; id`, 'ls<SP×400>; id'],
    [' ls ', '<SP>ls<SP>'],
    ['c\u0430t', 'c<\u0430 U+0430>t'],
    ['\u0441\u043e\u0440\u0443', '<\u0441 U+0441><\u043e U+043E><\u0440 U+0440><\u0443 U+0443>'],
    ['\uff43at \uff1b id', '<\uff43 U+FF43>at <\uff1b U+FF1B> id'],
    ['a\u0301\u0301\u0301\u0301b', 'a\u0301\u0301<U+0301><U+0301>b'],
    ['x\u3164y\ufeffz\u{e0041}', 'x<U+3164>y<U+FEFF>z<U+E0041>'],
    ['\ue000\u0378', '<U+E000><U+0378>'],
  ])('B24 %j is shown as %j', (text, expected) => expect(shown(text)).toBe(expected));

  it.each([
    'save-report',
    'add café,12',
    'Привет мир',
    '端末 を開く',
    'naïve Ünïcödé',
    'שלום',
    'नमस्ते',
    '😀 ok',
  ])('leaves %j alone', (text) => expect(shown(text)).toBe(text));

  it('counts every code', () => {
    expect(codeCount(exactParts('a\tb\n\u202e'))).toBe(3);
    expect(codeCount(exactParts('plain text'))).toBe(0);
  });

  it('B24 nothing of the hidden categories passes raw, and nothing that shows is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parts = exactParts(text);
        const raw = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
        expect(raw).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u);
        const ascii = text.replace(/[^\x21-\x7e]/g, '');
        expect(raw.replace(/[^\x21-\x7e]/g, '')).toBe(ascii);
      }),
    );
  });

  // A time that grows with the square of the length is longer than any test may take.
  it('takes a text of four times the largest size apart', () => {
    const text = 'а'.repeat(240_000) + ' '.repeat(240_000) + 'x\u0301'.repeat(120_000) + '\n'.repeat(240_000);
    expect(codeCount(exactParts(text))).toBeGreaterThan(400_000);
    for (const word of ['a', '-', '0_']) expect(codeCount(exactParts(word.repeat(240_000)))).toBe(0);
  });
});

it('A12 escapes everything but printable ASCII as JSON does', () => {
  const value = { text: 'a\u202e\u{1f600}é\x7f' };
  const escaped = asciiJson(JSON.stringify(value));
  expect(escaped).toBe('{"text":"a\\u202e\\ud83d\\ude00\\u00e9\\u007f"}');
  expect(JSON.parse(escaped)).toEqual(value);
});
