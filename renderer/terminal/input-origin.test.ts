import headless from '@xterm/headless';
import type { Terminal } from '@xterm/xterm';
import { describe, expect, it } from 'vitest';
import { originOf, watchInput } from './input-origin.ts';

describe('originOf (ST-16)', () => {
  it.each([
    ['a letter', 'a', 'typed'],
    ['a tilde from a dead key', '~', 'typed'],
    ['a composition', '狠狠', 'typed'],
    ['Delete, whose code ends in a tilde', '\x1b[3~', 'typed'],
    ['an arrow', '\x1b[A', 'typed'],
    ['a mouse report', '\x1b[<0;10;20M', 'reply'],
    ['the release of a button', '\x1b[<0;10;20m', 'reply'],
    ['a mouse report in pixels, left of the screen', '\x1b[<35;-3;20M', 'reply'],
    ['a text that holds a mouse report', 'x\x1b[<0;10;20M', 'typed'],
  ])('%s by a person is %3$s', (_name, data, origin) => {
    expect(originOf(data, true)).toBe(origin);
  });

  it('is a reply whenever nobody did anything', () => {
    for (const data of ['\x1b[?1;2c', '\x1b[1;1R', '\x1b[I', '~', '\r'])
      expect(originOf(data, false)).toBe('reply');
  });
});

interface Privates {
  _core: {
    coreMouseService: {
      triggerMouseEvent(event: Record<string, number | boolean>): boolean;
    };
  };
}

function watched() {
  const terminal = new headless.Terminal({ allowProposedApi: true });
  const seen: [string, string][] = [];
  watchInput(terminal as unknown as Terminal, (origin, bytes) =>
    seen.push([origin, Buffer.from(bytes).toString('latin1')]),
  );
  const write = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));
  const click = () => {
    const event = { col: 4, row: 2, x: 9, y: 9, button: 0, action: 1, ctrl: false, alt: false, shift: false };
    (terminal as unknown as Privates)._core.coreMouseService.triggerMouseEvent(event);
  };
  return { terminal, seen, write, click };
}

describe('watchInput', () => {
  it('tells keys from the answers between them', async () => {
    const { terminal, seen, write } = watched();
    terminal.input('a');
    await write('\x1b[6n');
    terminal.input('~');
    await write('\x1b[c');
    terminal.input('.');
    expect(seen.map(([origin]) => origin)).toEqual(['typed', 'reply', 'typed', 'reply', 'typed']);
  });

  it('takes mouse reports for replies, in both encodings', async () => {
    const { terminal, seen, write, click } = watched();
    await write('\x1b[?1000h');
    click();
    await write('\x1b[?1006h');
    click();
    terminal.input('x');
    expect(seen).toEqual([
      ['reply', '\x1b[M %#'],
      ['reply', '\x1b[<0;5;3M'],
      ['typed', 'x'],
    ]);
  });

  it('an input without text neither counts nor colours the next answer', async () => {
    const { terminal, seen, write } = watched();
    terminal.input('');
    await write('\x1b[6n');
    expect(seen).toEqual([['reply', '\x1b[1;1R']]);
  });

  it('sends text as UTF-8', () => {
    const { terminal, seen } = watched();
    terminal.input('é😀');
    expect(Buffer.from(seen[0]?.[1] ?? '', 'latin1').toString()).toBe('é😀');
  });
});
