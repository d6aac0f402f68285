import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INDEXED_LINE_MAX_CHARS } from '../../../../shared/transcripts/limits.ts';
import { differenceOf } from '../terminal/difference.ts';
import { terminalPrograms } from '../testing/terminal-programs.ts';
import { FinalText } from './final-text.ts';
import type { FinalLine } from './logical-lines.ts';

const SIZE = { cols: 20, rows: 5 };

function finalLines(pieces: readonly string[], size = SIZE): FinalLine[] {
  const lines: FinalLine[] = [];
  const text = new FinalText(size, (line) => lines.push(line));
  for (const [index, piece] of pieces.entries()) text.write(piece, index * 100);
  text.finish();
  text.dispose();
  return lines;
}

function finalTexts(output: string, size = SIZE): string[] {
  return finalLines([output], size).map(({ text }) => text);
}

describe('final text', () => {
  it.each([
    ['a progress bar that erases', '10%\r\x1b[K55%\r\x1b[K100%\r\n', ['100%']],
    ['a carriage return that does not', 'longer text\rshort\r\n', ['shortr text']],
    ['backspaces', 'ab\b\bXY\r\n', ['XY']],
    ['CR CR LF', 'A\r\r\nB', ['A', 'B']],
    ['backspace at the start of a line', '\n\b\bZ', ['', 'Z']],
    ['a tab', 'a\tb', ['a       b']],
    ['two lines drawn again from below', 'one 1\r\ntwo 1\r\n\x1b[2Aone 2\r\ntwo 2\r\n', ['one 2', 'two 2']],
    ['a wide character that is half overwritten', '界\bx', [' x']],
    ['a line that is longer than the screen', 'x'.repeat(45), ['x'.repeat(45)]],
    ['a wide character at the edge', `${'x'.repeat(19)}界!`, [`${'x'.repeat(19)}界!`]],
  ])('B21: %s', (_name, output, expected) => {
    expect(finalTexts(output)).toEqual(expected);
  });

  it.each([
    ['U+009B is CSI', 'a\u009b31mb', ['ab']],
    ['a raw 9B is an invalid byte', 'a\ufffd31mb', ['a\ufffd31mb']],
    ['U+009D and U+009C are a title', 'a\u009d0;T\u009cb', ['ab']],
    ['U+0085 is a line end', 'a\u0085b', ['a', 'b']],
    ['letters have bytes of that range', 'À Á Ā €', ['À Á Ā €']],
    ['NUL hides nothing', 'a\0b and more', ['ab and more']],
  ])('B17: %s', (_name, output, expected) => {
    expect(finalTexts(output)).toEqual(expected);
  });

  it.each([
    ['5 MB of colours', '\x1b[31m'.repeat(1_000_000), ''],
    ['a title of 5 MB', `\x1b]0;${'0'.repeat(5_000_000)}`, '\x07'],
  ])('B30: %s hide nothing before them and nothing behind', (_name, flood, end) => {
    expect(finalTexts(`before\r\n${flood}`)).toEqual(['before']);
    expect(finalTexts(`before\r\n${flood}${end}behind`)).toEqual(['before', 'behind']);
  });

  it('B21: is the same for all cuts', () => {
    const output =
      'one\r\x1b[Ktwo\r\nA\r\nlonger text\rshort\r\nab\b\bXY\r\n\x1b[31mred\x1b[m 界 end\r\nlast';
    const whole = finalTexts(output);
    for (let cut = 1; cut < output.length; cut++) {
      const cutInTwo = finalLines([output.slice(0, cut), output.slice(cut)]).map(({ text }) => text);
      expect(cutInTwo).toEqual(whole);
    }
  });

  it('B21: 200,000 frames of a bar are one line, and the output around them stays', () => {
    const frames = Array.from({ length: 200_000 }, (_, n) => `\r${n} of 200000`).join('');
    expect(finalTexts(`before\r\n${frames}\r\nafter\r\n`)).toEqual(['before', '199999 of 200000', 'after']);
  });

  it('gives each line the time when it was last written to', () => {
    const lines = finalLines(['one\r\n', 'two\r\n', '\x1b[2A+\r\n\r\n', 'x\r\n'.repeat(9)]);
    expect(lines.slice(0, 3)).toEqual([
      { text: '+ne', atMs: 200 },
      { text: 'two', atMs: 100 },
      { text: 'x', atMs: 300 },
    ]);
  });

  it('finds what was on the screen before it was cleared', () => {
    expect(finalTexts('secret\r\nprompt\x1b[H\x1b[2Jafter')).toEqual(['secret', 'prompt', 'after']);
    expect(finalTexts('secret\x1bcafter')).toEqual(['secret', 'after']);
  });

  it('finds what full-screen programs showed, and not every frame of it', () => {
    const page = (name: string) =>
      `\x1b[H\x1b[2J${[1, 2, 3, 4, 5].map((n) => `\x1b[${n};1H${name} ${'abcde'[n - 1]}`).join('')}`;
    const spinner = Array.from({ length: 300 }, (_, n) => `\x1b[5;1H${'|/-\\'[n % 4]} working ${n}`);
    const lines = finalLines([
      'shell\r\n',
      '\x1b[?1049h',
      page('first'),
      page('second'),
      ...spinner,
      page('third'),
      '\x1b[?1049l',
      'back\r\n',
    ]).map(({ text }) => text);
    for (const name of ['first a', 'first e', 'second c', 'third e', 'shell', 'back'])
      expect(lines).toContain(name);
    expect(lines.length).toBeLessThan(20);
  });

  it('bounds what a program that draws frames adds', () => {
    const frame = (n: number) =>
      `\x1b[H\x1b[2J${Array.from({ length: 4 }, (_, y) => `${'abcdefgh'[(n + y) % 8]}${'xyz'[n % 3]}${n}\r\n`).join('')}`;
    const frames = Array.from({ length: 3_000 }, (_, n) => frame(n));
    const lines = finalLines([frames.join('')]);
    expect(lines.length).toBeLessThan(4_100);
  });

  it('keeps a bounded part of a line without an end (B30)', () => {
    const [line, ...rest] = finalTexts('ab'.repeat(1_000_000));
    expect(rest).toEqual([]);
    expect(line).toBe('ab'.repeat(INDEXED_LINE_MAX_CHARS / 2));
  });

  it('keeps whole lines where that is wanted, of a flood as well', () => {
    const line = 'ab'.repeat(INDEXED_LINE_MAX_CHARS);
    const chars: number[] = [];
    const size = { cols: 1_000, rows: 5 };
    const text = new FinalText(size, (one) => chars.push(one.text.length), Number.POSITIVE_INFINITY);
    text.write(`${line}\r\n`.repeat(500), 0);
    text.finish();
    text.dispose();
    expect(chars).toEqual(Array(500).fill(line.length));
  });

  it('joins lines that were wrapped before the screen became another', () => {
    const lines: string[] = [];
    const text = new FinalText(SIZE, (line) => lines.push(line.text));
    text.write(`${'a'.repeat(30)}\r\nshort\r\n`, 0);
    text.resize({ cols: 12, rows: 7 }, 1);
    text.resize({ cols: 40, rows: 3 }, 2);
    text.write('end\r\n', 3);
    text.finish();
    expect(lines).toEqual(['a'.repeat(30), 'short', 'end']);
  });

  it('of a flood, text and terminal are what playing it gives', () => {
    const words = fc.constantFrom(
      'get /index.html',
      '\x1b[31mfailed\x1b[m',
      'tab\there',
      'né ✓ → „x“ Привет Ελλάδα 한글 ①',
      '界面',
      'x'.repeat(50),
      '\x1b[7m',
      '',
    );
    const flood = fc.array(words, { minLength: 1, maxLength: 6 }).map((parts) => `${parts.join(' ')}\r\n`);
    const floods = fc.tuple(
      fc.array(flood, { minLength: 5, maxLength: 12 }),
      fc.constantFrom('', 'half a line', '\x1b[3;1H'),
    );
    fc.assert(
      fc.property(floods, ([lines, before]) => {
        const output =
          before + Array.from({ length: 3_000 }, (_, n) => `${n} ${lines[n % lines.length]}`).join('');
        const [skipped, played] = [output.length, 1_000].map((chars) => {
          const texts: string[] = [];
          const text = new FinalText({ cols: 40, rows: 6 }, (line) => texts.push(line.text));
          for (let at = 0; at < output.length; at += chars) text.write(output.slice(at, at + chars), 0);
          return {
            texts: [...texts, ...text.screenLines().map((line) => line.text)],
            terminal: text.terminal,
          };
        });
        if (skipped === undefined || played === undefined) throw new Error('unreachable');
        expect(skipped.texts).toEqual(played.texts);
        expect(differenceOf(skipped.terminal, played.terminal)).toBeNull();
      }),
      { numRuns: 12 },
    );
  });

  it('takes whatever a terminal may see', () => {
    fc.assert(
      fc.property(terminalPrograms, (steps) => {
        const text = new FinalText(SIZE, (line) => expect(line.text).not.toContain('\n'));
        for (const step of steps)
          if (step.kind === 'output') text.write(step.text, 0);
          else text.resize(step.size, 0);
        text.finish();
        text.dispose();
      }),
      { numRuns: 60 },
    );
  });
});
