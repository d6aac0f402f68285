import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINE_MAX_BYTES, PASTE_MAX_BYTES } from './limits.ts';
import { cleanPaste, framePaste, type PasteConditions, planPaste } from './paste.ts';

const START = '\x1b[200~';
const END = '\x1b[201~';
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const plain: PasteConditions = { bracketed: false, confirmMultiline: true };
const bracketed: PasteConditions = { bracketed: true, confirmMultiline: true };

describe('framePaste (B11)', () => {
  it.each([
    ['end marker', 'safe\x1b[201~\rtouch PWNED\r', 'safe[201~\rtouch PWNED\r'],
    ['8-bit end marker', 'safe\u009b201~\rtouch PWNED\r', 'safe201~\rtouch PWNED\r'],
    ['nested marker', '\x1b[20\x1b[201~1~', '[20[201~1~'],
    ['keys that act', 'a\0b\x03c\x04d\x15e\x7ff\x08', 'abcdef'],
    ['tabs and line ends', 'a\tb\r\nc\nd\re', 'a\tb\rc\rd\re'],
    ['escape characters of a session (B10)', 'one\n~.\n~~two\n~?\n~Bthree', 'one\r~.\r~~two\r~?\r~Bthree'],
    ['letters in the C1 byte range (B17)', 'À Á Ā €', 'À Á Ā €'],
  ])('%s', (_name, raw, clean) => {
    expect(text(framePaste(raw, true))).toBe(START + clean + END);
    expect(text(framePaste(raw, false))).toBe(clean);
  });

  it('leaves nothing to join when a marker is cut over two pastes', () => {
    const both = text(framePaste('a\x1b[20', true)) + text(framePaste('1~rm -rf\r', true));
    expect(both).toBe(`${START}a[20${END}${START}1~rm -rf\r${END}`);
  });

  it('has one start and one end marker whatever is pasted', () => {
    const piece = fc.oneof(
      fc.constantFrom('\x1b', '[', '201~', '200~', END, START, '\u009b', '\x1b[20', '1~', '\r\n', '~.'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const framed = text(framePaste(pieces.join(''), true));
        expect(framed.startsWith(START)).toBe(true);
        expect(framed.endsWith(END)).toBe(true);
        const inside = framed.slice(START.length, -END.length);
        expect(inside).not.toMatch(/[\x00-\x08\x0a-\x0c\x0e-\x1f\x7f-\x9f]/);
      }),
    );
  });
});

describe('planPaste (B11, B12)', () => {
  it('sends what the program takes as text', () => {
    expect(planPaste('a\nb\n', bracketed)).toEqual({ kind: 'send', text: 'a\rb\r' });
  });

  it('sends one line without a question', () => {
    expect(planPaste('ls -l', plain)).toEqual({ kind: 'send', text: 'ls -l' });
  });

  it('asks about lines that would run, and says what was removed', () => {
    expect(planPaste('ls\r\n\x1b[31mrm x\n', plain)).toEqual({
      kind: 'ask',
      question: { text: 'ls\r[31mrm x\r', lines: 2, bytes: 12, removed: 1, longLineBytes: null },
    });
    expect(planPaste('ls\n', plain)).toMatchObject({ kind: 'ask', question: { lines: 1 } });
  });

  it('does not ask about lines where the setting is off', () => {
    expect(planPaste('ls\n', { bracketed: false, confirmMultiline: false })).toEqual({
      kind: 'send',
      text: 'ls\r',
    });
  });

  it('warns of a line that the kernel would cut, counted in bytes', () => {
    const conditions = { bracketed: false, confirmMultiline: false };
    expect(planPaste('é'.repeat(2_048), conditions)).toMatchObject({
      kind: 'ask',
      question: { longLineBytes: 4_096 },
    });
    expect(planPaste('x'.repeat(LINE_MAX_BYTES), conditions).kind).toBe('send');
    expect(planPaste('x'.repeat(6_000), bracketed).kind).toBe('send');
  });

  it('takes many lines (4 MiB of them)', () => {
    expect(planPaste('\n'.repeat(PASTE_MAX_BYTES), plain)).toMatchObject({
      kind: 'ask',
      question: { lines: PASTE_MAX_BYTES },
    });
  });

  it('refuses more bytes than a paste may have', () => {
    expect(planPaste('x'.repeat(PASTE_MAX_BYTES + 1), bracketed).kind).toBe('refused');
    expect(planPaste('€'.repeat(PASTE_MAX_BYTES / 2), bracketed).kind).toBe('refused');
    expect(planPaste('x'.repeat(PASTE_MAX_BYTES), bracketed).kind).toBe('send');
  });

  it('has nothing to do when only controls were copied', () => {
    expect(planPaste('\x1b\x03\0', plain)).toEqual({ kind: 'nothing' });
    expect(planPaste('', plain)).toEqual({ kind: 'nothing' });
  });

  it('cleans the same text once or twice alike', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        expect(cleanPaste(cleanPaste(raw))).toBe(cleanPaste(raw));
      }),
    );
  });
});
