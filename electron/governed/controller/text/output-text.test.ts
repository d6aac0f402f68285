import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputText } from './output-text.ts';

/** The text and the candidates of bytes that come in these pieces. */
function read(pieces: readonly Uint8Array[]) {
  const output = new OutputText();
  for (const piece of pieces) output.push(piece);
  return { candidates: output.promptCandidates, text: output.text };
}

const whole = (bytes: string | Uint8Array) => read([Buffer.from(bytes)]);
const inBytes = (bytes: Uint8Array) => read([...bytes].map((byte) => Uint8Array.of(byte)));
const cutAt = (bytes: Uint8Array, at: number) => read([bytes.subarray(0, at), bytes.subarray(at)]);

const ZSH_MARK = `\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m${' '.repeat(79)}\r \r\r\x1b[0m\x1b[27m\x1b[24m\x1b[J`;

describe('B19 the last line as it looks', () => {
  const prompts: readonly [string, string, string][] = [
    ['bracketed paste', '\x1b[?2004hbox$ ', 'box$'],
    ['semantic marks', '\x1b]133;A\x07box$ \x1b]133;B\x07', 'box$'],
    ['semantic marks with ST', '\x1b]133;A\x1b\\box$ \x1b]133;B\x1b\\', 'box$'],
    ['a title', '\x1b]0;u@box: ~\x07box$ ', 'box$'],
    ["zsh's mark", `${ZSH_MARK}box$ \x1b[K\x1b[?2004h`, 'box$'],
    [
      "zsh's mark after output without a line end",
      `out-without-newline\x1b[7m%\x1b[27m${' '.repeat(79)}\r \r\r\x1b[0m\x1b[K\x1b[Jbox$ `,
      'box$',
    ],
    ['rewriting from the start', '\r\x1b[Kbox$ ', 'box$'],
    ['rewriting by CR alone', 'xxx$\rbox$ ', 'box$'],
    ['rewriting by backspace', 'bax\b\bo\x1b[1Cx\b\b\b\b\bbox$', 'box$'],
    ['colours', '\x1b[1;32mbox\x1b[0m$ ', 'box$'],
    ['colon parameters', '\x1b[4:3mbox\x1b[0m$ ', 'box$'],
    ['charsets and keypad', '\x1b(B\x1b)0\x0f\x1b=box$ ', 'box$'],
    ['DCS, APC, PM, SOS', '\x1bPq#0;1\x1b\\\x1b_x\x1b\\\x1b^y\x1b\\\x1bXz\x1b\\box$ ', 'box$'],
    ['8-bit controls', '\u009b1mbox\u009d0;t\u009c$ ', 'box$'],
    ['a cleared screen', 'old\x1b[H\x1b[2Jbox$ ', 'box$'],
    ['the other screen', 'old text\x1b[?1049hbox$ ', 'box$'],
    ['a bell', 'box$\x07 ', 'box$'],
    ['columns', 'xxxxxxxx\x1b[1Gbox$ \x1b[K', 'box$'],
    ['erased, deleted, inserted', 'abox$ zz\x1b[1G\x1b[1P\x1b[6G\x1b[2X\x1b[1G', 'box$'],
    ['inserted', 'ox$\r\x1b[@b', 'box$'],
    ['a control inside a sequence', 'bo\x1b[1\x07mx$ ', 'box$'],
    ['a cancelled sequence', '\x1b[12\x18box$ ', 'box$'],
    ['a sequence begun anew', '\x1b[12\x1b[0mbox$ ', 'box$'],
    ['a title that another sequence ends', '\x1b]0;title\x1b[0mbox$ ', 'box$'],
    ['wide and combining characters', '\u754ce\u0301\r\x1b[2Cx', '\u754cx'],
    ['half of a wide character overwritten', '\u754c\rb\x1b[1Dbox$ ', 'box$'],
    ['an emoji', '👩‍💻 box$ ', '👩‍💻 box$'],
    ['a tab', 'a\tb', 'a       b'],
    ['E27 one line end', 'box$ \r\n', 'box$'],
    ['E27 one line end, then what shows nothing', 'box$ \r\n\x1b[0m\x1b]0;t\x07\x1b[?2004l', 'box$'],
    ['bytes that are no UTF-8', 'a\r\nbox$ ', 'box$'],
    ['progress before it', '10%\r\x1b[K55%\r\x1b[K100%\r\nbox$ ', 'box$'],
  ];

  it.each(prompts)('of %s, for every cut', (_, output, line) => {
    const bytes = Buffer.from(output);
    expect(whole(output).candidates).toContain(line);
    expect(inBytes(bytes)).toEqual(whole(output));
    for (let at = 1; at < bytes.length; at++) expect(cutAt(bytes, at)).toEqual(whole(output));
  });

  it('of a right-hand prompt with the cursor back is also what stands left of the cursor', () => {
    expect(whole('box$ \x1b[60C12:30\x1b[65D').candidates[1]).toBe('box$');
    expect(whole('box$ \x1b[60C12:30\r\x1b[5C').candidates[1]).toBe('box$');
    expect(whole('box$ \x1b[999C\x1b[4D12:30\r\x1b[5C').candidates[1]).toBe('box$');
  });

  it('of rows is also the last one, but only when it was written anew from its start', () => {
    const full = 'x'.repeat(80);
    expect(whole(`${full}box$ `).candidates).toEqual([`${full}box$`]);
    expect(whole(`${full}y\rbox$ `).candidates).toContain('box$');
    // The row is full and the next one not begun: CR goes back in this one.
    expect(whole(`${full}\rbox$ \x1b[K`).candidates).toEqual(['box$']);
    expect(whole(`${full}y\rbox$ \x1b[2K`).candidates).toEqual([full]);
    expect(whole(`${full}y\rbox$ \x1b[2J`).candidates).toEqual([]);
  });

  it.each([
    ['text goes on', 'box$ done', 'box$'],
    ['text was overwritten in part', 'box$ working\b\b\b\b\b\b\b', 'box$'],
    ['a title only says so', '\x1b]0;box$ \x07', 'box$'],
    ['a title is not over', 'box$ \x1b]0;x', 'box$'],
    ['a sequence is not over', 'box$ \x1b[', 'box$'],
    ['an erased line', 'box$ \x1b[2K', 'box$'],
    ['E27 an empty line after it', 'box$ \r\n\r\n', 'box$'],
    ['E27 an empty line after it by LF', 'box$ \n\n', 'box$'],
    ['a CR in the next line', 'box$ \n\r', 'box$'],
    ['a left screen', 'box$ \x1b[?1049l', 'box$'],
    ['a moved cursor', 'box$ \x1b[A', 'box$'],
  ])('is no prompt when %s', (_, output, line) => {
    expect(whole(output).candidates).not.toContain(line);
  });

  it('is none while a character is not whole', () => {
    expect(read([Buffer.from('box$ '), Uint8Array.of(0xe2, 0x82)]).candidates).toEqual([]);
    expect(read([Buffer.from('box$ '), Uint8Array.of(0xe2, 0x82), Uint8Array.of(0xac)]).candidates).toEqual([
      'box$ €',
    ]);
  });

  it('is bounded, and a long line that was rewritten is one again (B30)', () => {
    const flood = `${'x'.repeat(4 * 1024 * 1024)}`;
    expect(whole(flood).candidates).toEqual([]);
    expect(whole(`${flood}\r\x1b[Kbox$ `).candidates).toEqual(['box$']);
    expect(whole(`${flood}\nbox$ `).candidates).toEqual(['box$']);
    expect(whole(`a\x1b[999999999Cb`).candidates).toEqual([`a${' '.repeat(78)}b`]);
  });
});

describe('E28 E33 the text', () => {
  it('keeps line ends, CR and backspace, and no sequence', () => {
    expect(whole('\x1b[1ma\r\n\x1b]0;t\x07b\bc\r> ').text).toBe('a\r\nb\bc\r> ');
  });

  it('E26 has U+FFFD for what is no UTF-8', () => {
    expect(whole(Buffer.from([0x61, 0xff, 0xc0, 0x80, 0x62])).text).toBe('a\ufffd\ufffd\ufffdb');
  });

  it('begins anew with `take`, inside of a sequence too', () => {
    const output = new OutputText();
    output.push(Buffer.from('old \x1b[3'));
    expect(output.take()).toBe('old ');
    output.push(Buffer.from('1mnew'));
    expect(output.text).toBe('new');
    expect(output.promptCandidates).toEqual(['new']);
  });
});

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    '\r\n',
    '\r',
    '\b',
    '\x1b[K',
    '\x1b[2J',
    '\x1b[1C',
    '\x1b]0;t\x07',
    '\x1b(B',
    '\x1b[?2004h',
    'box$ ',
    '界',
    '👩‍💻',
    '\t',
  ),
);
const stream = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join('')));
const raw = fc.uint8Array({ maxLength: 40 });

it('B19 B01 any cut of any output gives the same', () => {
  fc.assert(
    fc.property(fc.oneof(stream, raw), fc.array(fc.nat(200), { maxLength: 6 }), (bytes, cuts) => {
      const places = [
        0,
        ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
        bytes.length,
      ];
      const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      expect(read(pieces)).toEqual(whole(bytes));
    }),
    { numRuns: 500 },
  );
});
