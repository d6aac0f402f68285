import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReplayTerminal } from '../../library/terminal/replay-terminal.ts';
import { ChannelSearch } from './channel.ts';
import { ChannelMask } from './masking.ts';
import { RemovalList, redactWhole, searchChannel } from './redactor.ts';
import { compileRules, type Rule } from './rules.ts';

function rules(...patterns: string[]): Rule[] {
  const compiled = compileRules(patterns.map((pattern) => ({ kind: 'pattern', pattern })));
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.value;
}

function textRules(text: string): Rule[] {
  const compiled = compileRules([{ kind: 'text', text }]);
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.value;
}

function redact(by: readonly Rule[], ...pieces: string[]): { pieces: string[]; removals: RemovalList } {
  const removals = new RemovalList();
  const mask = new ChannelMask(searchChannel(by, pieces), removals.add);
  return { pieces: pieces.map((piece) => mask.mask(piece)), removals };
}

const one = (by: readonly Rule[], text: string) => redact(by, text).pieces[0];

describe('patterns', () => {
  it('are found across control sequences and cuts, which stay where they are', () => {
    const { pieces, removals } = redact(
      rules('AKIA[0-9A-Z]{16}'),
      'id AK',
      'IA\x1b[1mABCDEFGH\x1b',
      '[0mIJKLMNOP!',
    );
    expect(pieces).toEqual(['id ██', '██\x1b[1m████████\x1b', '[0m████████!']);
    expect(removals.listed).toEqual([{ rule: 'AKIA[0-9A-Z]{16}', atMs: 0, shown: 'AKIA… (20 characters)' }]);
  });

  it('keep the width: wide, joined and combining characters', () => {
    expect(one(rules('<.*>'), 'a<日👩‍👩‍👧e\u0301>b')).toBe(`a${'█'.repeat(1 + 2 + 2 + 1 + 1)}b`);
  });

  it('are found in titles and links by themselves', () => {
    const { pieces } = redact(
      rules('secret'),
      '\x1b]0;my secret\x07\x1b]8;;https://h/secret\x1b\\x\x1b]8;;\x1b\\',
    );
    expect(pieces).toEqual(['\x1b]0;my ██████\x07\x1b]8;;https://h/██████\x1b\\x\x1b]8;;\x1b\\']);
  });

  it('see words where a screen is drawn by jumps', () => {
    expect(one(rules('\\bAKIA\\w+'), 'menu\x1b[3;1HAKIA12\x1b[4;1Hend')).toBe(
      'menu\x1b[3;1H██████\x1b[4;1Hend',
    );
  });

  it('find a command line that a line editor wrapped', () => {
    expect(one(rules('TOKEN=\\w+'), '$ TOKEN=abcde \rfghij\r\n')).toBe(
      '$ ███████████ \r█████\r\n'.replace(' \r', '█\r'),
    );
  });

  it('know line ends, however they are written', () => {
    const key = 'BEGIN\r\nab\r\r\ncd\nEND';
    expect(one(rules('(?s)BEGIN.*END'), `x${key}y`)).toBe('x█████\r\n██\r\r\n██\n███y');
    expect(one(rules('(?m)^b+$'), 'abb\r\nbb\r\n')).toBe('abb\r\n██\r\n');
  });

  it('C1 controls and NUL do not hide text (B17)', () => {
    expect(one(rules('secret'), 'se\u009b31mcr\0et')).toBe('██\u009b31m██\0██');
  });

  it('say which one is none, and why', () => {
    const compiled = compileRules([
      { kind: 'pattern', pattern: 'ok' },
      { kind: 'pattern', pattern: '(a' },
    ]);
    expect(compiled).toMatchObject({ ok: false, error: expect.stringMatching(/“\(a”.*unclosed group/) });
  });

  // A search that goes back and tries again would not end within any limit of a test.
  it('take time linear in the text', () => {
    const text = [`${'a'.repeat(200_000)}!`, 'x'.repeat(200_000)];
    expect(redact(rules('(a+)+$', '(x|xx)*y'), ...text).removals.listed).toEqual([]);
  });

  it('are found at the borders of what is searched at once', () => {
    const pieces = Array.from({ length: 200 }, (_, index) => `${'é '.repeat(index)}key-😀end\r\n`);
    const search = new ChannelSearch(rules('\\bkey-.end'), { chars: 1_000, overlapChars: 100 });
    for (const piece of pieces) search.push(piece);
    const { text } = search.end();
    expect(text).toHaveLength(200);
    expect(new Set(text.map(({ start, end }) => end - start))).toEqual(new Set([9]));
  });
});

describe('selected text', () => {
  it('is found where blanks were tabs, and over lines', () => {
    expect(one(textRules('a  b\nc'), 'a\tb   \r\nc')).toBe('█\t████\r\n█');
  });

  it('is no pattern', () => {
    const text = String.raw`a.b*(c)[d]{e}^$|?+\-#&~`;
    expect(one(textRules(text), `axb ${text}`)).toBe(`axb ${'█'.repeat(text.length)}`);
  });
});

describe('any text', () => {
  const parts = fc.oneof(
    fc.constantFrom(
      '\x1b[1m',
      '\x1b[3;4H',
      '\r\n',
      '\r',
      '\t',
      '\x1b]0;',
      '\x07',
      'secret',
      'sec',
      'ret',
      '😀',
      '\x1b',
    ),
    fc.string({ maxLength: 4 }),
  );

  it('however it is cut the same is removed, controls stay and so does the length of the list', () => {
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 20 }),
        fc.array(fc.nat(200), { maxLength: 6 }),
        (texts, cuts) => {
          const whole = texts.join('');
          const places = [
            0,
            ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b),
            whole.length,
          ];
          const pieces = places.slice(1).map((to, index) => whole.slice(places[index], to));
          const by = rules('secret', '[0-9]+');
          const atOnce = redact(by, whole);
          const inPieces = redact(by, ...pieces);
          expect(inPieces.pieces.join('')).toBe(atOnce.pieces.join(''));
          expect(inPieces.removals.listed).toEqual(atOnce.removals.listed);
          const controls = (text: string) => text.replace(/[^\x00-\x1f]/g, '');
          expect(controls(inPieces.pieces.join(''))).toBe(controls(whole));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('what is drawn in a row is nowhere on the screen afterwards', () => {
    const styles = fc.constantFrom('', '\x1b[31m', '\x1b[0m', '\x1b]0;t\x07', '\x1b[?25l');
    fc.assert(
      fc.property(fc.array(styles, { minLength: 6, maxLength: 6 }), (between) => {
        const drawn = between.map((style, index) => style + 'secret'[index]).join('');
        const screen = new ReplayTerminal({ cols: 40, rows: 3 });
        screen.write(redact(rules('secret'), `a ${drawn} b`).pieces.join(''));
        expect(screen.active.lines.get(0)?.translateToString(true)).toBe('a ██████ b');
        screen.dispose();
      }),
      { numRuns: 50 },
    );
  });
});

it('one string by itself', () => {
  const removals = new RemovalList();
  expect(redactWhole(rules('s3\\w+', 'x'), 'title s3cr3t x', removals)).toBe('title ██████ █');
  expect(removals.listed.map(({ shown }) => shown)).toEqual(['s… (6 characters)', '… (1 character)']);
});
