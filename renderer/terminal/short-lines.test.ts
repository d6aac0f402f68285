import headless from '@xterm/headless';
import { expect, it } from 'vitest';
import { withShortLines } from './xterm-internals.ts';

const COLS = 10;

async function terminalWith(output: string, scrollback = 100) {
  const terminal = new headless.Terminal({ cols: COLS, rows: 5, scrollback, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const { active } = terminal.buffer;
  /** How many rows each line has. */
  const lines = () => {
    const rows: number[] = [];
    for (let y = 0; y < active.baseY + active.cursorY + 1; y += 1) {
      if (rows.length > 0 && active.getLine(y)?.isWrapped) rows.push((rows.pop() ?? 0) + 1);
      else rows.push(1);
    }
    return rows;
  };
  return { terminal, lines, firstIsWrapped: () => active.getLine(0)?.isWrapped };
}

it('B30 a long line counts as several, and is one again afterwards, also after a failure', async () => {
  const { terminal, lines } = await terminalWith(`a\r\n${'x'.repeat(7 * COLS)}\r\n${'y'.repeat(3 * COLS)}`);
  expect(lines()).toEqual([1, 7, 3]);
  expect(withShortLines(terminal, 3, lines)).toEqual([1, 3, 3, 1, 3]);
  expect(lines()).toEqual([1, 7, 3]);
  const fail = () => {
    throw new Error('not a pattern');
  };
  expect(() => withShortLines(terminal, 3, fail)).toThrow('not a pattern');
  expect(lines()).toEqual([1, 7, 3]);
});

it('B30 a line whose beginning is gone begins at the first row', async () => {
  const { terminal, lines, firstIsWrapped } = await terminalWith('z'.repeat(50 * COLS), 20);
  expect(firstIsWrapped()).toBe(true);
  expect(withShortLines(terminal, 100, firstIsWrapped)).toBe(false);
  expect(withShortLines(terminal, 10, lines)).toEqual([10, 10, 5]);
  expect(firstIsWrapped()).toBe(true);
});

it('B30 what a resize left behind the last row is not part of its line', async () => {
  const { terminal } = await terminalWith(`${'w'.repeat(40 * COLS)}\r\nlast`);
  terminal.resize(COLS * 2, 5);
  const { active } = terminal.buffer;
  const beyond = () => active.getLine(active.length)?.isWrapped ?? false;
  expect(beyond(), 'or else there is nothing to keep apart').toBe(true);
  expect(withShortLines(terminal, 16, beyond)).toBe(false);
});
