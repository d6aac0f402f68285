import headless from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { modeReset, resetTabStops } from './mode-reset.ts';
import { hasScrollRegion } from './xterm-internals.ts';

type Terminal = InstanceType<typeof headless.Terminal>;
const SIZE = { cols: 40, rows: 10 };

async function terminalAfter(output: string): Promise<Terminal> {
  const terminal = new headless.Terminal({ ...SIZE, scrollback: 100, allowProposedApi: true });
  await write(terminal, output);
  return terminal;
}

function write(terminal: Terminal, text: string): Promise<void> {
  return new Promise((resolve) => terminal.write(text, resolve));
}

async function reset(terminal: Terminal): Promise<void> {
  // headless and browser terminals share the parts that the reset reads
  await write(terminal, modeReset(terminal as never, hasScrollRegion(terminal)));
  resetTabStops(terminal as never);
}

const cursor = ({ buffer }: Terminal) => [buffer.active.cursorX, buffer.active.baseY + buffer.active.cursorY];
const line = (terminal: Terminal, y: number) => terminal.buffer.active.getLine(y)?.translateToString(true);
const plainModes = async () => (await terminalAfter('')).modes;

const LEFT_ON =
  '\x1b[?1049h\x1b[?1003h\x1b[?1006h\x1b[?1004h\x1b[?2004h\x1b[?1h\x1b[?25l\x1b[5;10r\x1b(0\x1b[>1u\x1b=\x1b[4h\x1b[?2026h';

describe('modeReset (B32)', () => {
  it('turns off every mode that a killed program left on, and keeps the scrollback', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i}\r\n`).join('');
    const terminal = await terminalAfter(`${lines}$ vim\r\n${LEFT_ON}full screen`);
    expect(terminal.buffer.active.type).toBe('alternate');
    await reset(terminal);
    expect(terminal.buffer.active.type).toBe('normal');
    expect(terminal.modes).toEqual(await plainModes());
    expect(hasScrollRegion(terminal)).toBe(false);
    await write(terminal, 'qqq notice');
    expect(line(terminal, 30)).toBe('$ vim');
    expect(line(terminal, 31)).toBe('qqq notice');
    expect(line(terminal, 0)).toBe('line 0');
  });

  it.each(['\x1b[?47h', '\x1b[?1047h', '\x1b[?1049h'])('writes over no old text after %j', async (enter) => {
    const terminal = await terminalAfter(`one\r\ntwo\r\nthree${enter}\x1b[2Jtext\x1b[H`);
    await reset(terminal);
    await write(terminal, 'notice');
    expect([0, 1, 2, 3].map((y) => line(terminal, y))).toEqual(['one', 'two', 'three', 'notice']);
  });

  it.each(['', '\x1b[?1049h'])('brings back tab stops that were cleared or set, after %j', async (enter) => {
    const terminal = await terminalAfter(`${enter}\x1b[3g\x1b[4G\x1bH\r`);
    await reset(terminal);
    await write(terminal, 'a\tb\tc');
    expect(line(terminal, terminal.buffer.active.cursorY)).toBe('a       b       c');
  });

  it('scrolls when the normal screen is full', async () => {
    const full = Array.from({ length: SIZE.rows }, (_, i) => `row ${i}`).join('\r\n');
    const terminal = await terminalAfter(`${full}\x1b[?1049h`);
    await reset(terminal);
    await write(terminal, 'notice');
    expect(line(terminal, SIZE.rows - 1)).toBe(`row ${SIZE.rows - 1}`);
    expect(line(terminal, SIZE.rows)).toBe('notice');
  });

  it.each([
    ['at a prompt', 'one\r\n$ '],
    ['in the middle of the screen', 'a\r\nb\r\nc\x1b[2;2H'],
    ['with a wrap that is due', 'x'.repeat(SIZE.cols)],
    ['after scrolling', 'y\r\n'.repeat(50)],
    ['on an empty screen', ''],
    ['inside a scroll region', 'a\r\nb\r\nc\x1b[2;5r\x1b[4;7H'],
    ['in origin mode', '\x1b[3;6r\x1b[?6h\x1b[2;2H'],
  ])('leaves the cursor where it is %s', async (_name, output) => {
    const terminal = await terminalAfter(output);
    const before = cursor(terminal);
    await reset(terminal);
    expect(cursor(terminal)).toEqual(before);
    expect(hasScrollRegion(terminal)).toBe(false);
    expect(terminal.modes.originMode).toBe(false);
  });

  it.each([
    ['title', '\x1b]0;half a tit'],
    ['control sequence', '\x1b[3'],
    ['device control', '\x1bP$q'],
    ['escape', '\x1b'],
  ])('does not carry out an unfinished %s, nor takes the notice into it', async (_name, output) => {
    const terminal = await terminalAfter(output);
    const titles: string[] = [];
    terminal.onTitleChange((title) => titles.push(title));
    await reset(terminal);
    await write(terminal, 'mnotice');
    expect(line(terminal, 0)).toBe('mnotice');
    expect(titles).toEqual([]);
  });

  it('ends colours, line drawing and an open link', async () => {
    const terminal = await terminalAfter('\x1b]8;;https://example.com\x07\x1b[41;1m\x1b(0\x0e\x1b)0');
    await reset(terminal);
    await write(terminal, 'q');
    const cell = terminal.buffer.active.getLine(0)?.getCell(0);
    expect([cell?.getChars(), cell?.isBgDefault(), cell?.isBold(), cell?.isUnderline()]).toEqual([
      'q',
      true,
      0,
      0,
    ]);
  });

  it('asks nothing of the terminal that would be answered', async () => {
    const terminal = await terminalAfter(LEFT_ON);
    const replies: string[] = [];
    terminal.onData((data) => replies.push(data));
    await reset(terminal);
    expect(replies).toEqual([]);
  });
});
