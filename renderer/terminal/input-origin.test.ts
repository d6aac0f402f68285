import headless from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { originOf, watchInput } from './input-origin.ts';

/** A terminal and what it sends, in order, with its origin. */
function watched() {
  const terminal = new headless.Terminal({ allowProposedApi: true });
  const sent: [origin: string, text: string][] = [];
  // headless and browser terminals share the parts that this uses
  watchInput(terminal as never, (origin, bytes) => sent.push([origin, Buffer.from(bytes).toString()]));
  const write = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));
  return { terminal, sent, write };
}

describe('ST-16 what xterm sends', () => {
  it('is a reply when it answers the program, also between two keys and right after one', async () => {
    const { terminal, sent, write } = watched();
    terminal.input('~', true);
    await write('\x1b[c\x1b[6n\x1b[?2004$p\x1bP$qm\x1b\\');
    terminal.input('.', true);
    expect(sent[0]).toEqual(['typed', '~']);
    expect(sent.at(-1)).toEqual(['typed', '.']);
    const answers = sent.slice(1, -1);
    expect(answers.length).toBeGreaterThanOrEqual(4);
    expect(answers.every(([origin]) => origin === 'reply')).toBe(true);
  });

  it('B34 is typed when a key or a composition made it, with all its letters', () => {
    const { terminal, sent } = watched();
    for (const text of ['~', '狠狠', '\x1b[3~', 'é']) terminal.input(text, true);
    expect(sent).toEqual(['~', '狠狠', '\x1b[3~', 'é'].map((text) => ['typed', text]));
  });
});

describe('originOf', () => {
  it.each([
    ['a press', '\x1b[<0;10;5M'],
    ['a release', '\x1b[<0;10;5m'],
    ['a place in pixels', '\x1b[<35;-1;812M'],
  ])('B32 %s of the mouse answers a program that asked for it', (_what, report) => {
    expect(originOf(report, true)).toBe('reply');
  });

  it.each(['\x1b[A', '\x1b[3~', '\x1bOP', '\x1b[<', 'x\x1b[<0;1;1M'])('the key %j is typed', (key) => {
    expect(originOf(key, true)).toBe('typed');
    expect(originOf(key, false)).toBe('reply');
  });
});
