import headless from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { CELL_JOINS_MAX } from '../../shared/terminal/limits.ts';
import { joinGraphemes } from './bounded-graphemes.ts';

async function cells(text: string): Promise<{ chars: string; width: number }[]> {
  const terminal = new headless.Terminal({ cols: 80, rows: 2, allowProposedApi: true });
  joinGraphemes(terminal);
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const line = terminal.buffer.active.getLine(0);
  return Array.from({ length: 80 }, (_, x) => line?.getCell(x))
    .map((cell) => ({ chars: cell?.getChars() ?? '', width: cell?.getWidth() ?? 0 }))
    .filter(({ chars }) => chars !== '');
}

describe('joinGraphemes', () => {
  it.each([
    ['e\u0301', 1],
    ['界', 2],
    ['👩‍💻', 2],
    ['👨‍👩‍👧‍👦', 2],
    ['🇩🇪', 2],
    ['❤\ufe0f', 2],
    ['👍🏽', 2],
    ['한', 2],
  ])('keeps %s in one cell of width %i', async (text, width) => {
    expect(await cells(text)).toEqual([{ chars: text, width }]);
  });

  it('counts for each cell anew', async () => {
    for (const letter of ['e\u0301', '界\u0301', '👍🏽']) {
      const text = letter.repeat(30);
      expect((await cells(text)).map(({ chars }) => chars)).toEqual(Array(30).fill(letter));
    }
  });

  it.each([
    ['combining marks', 'a', '\u0301'],
    ['joiners', '👩', '\u200d👩'],
    ['variation selectors', '❤', '\ufe0f'],
  ])('bounds %s in a cell and loses none (B30)', async (_name, first, more) => {
    const text = first + more.repeat(100);
    const shown = await cells(text);
    expect(Math.max(...shown.map(({ chars }) => [...chars].length))).toBeLessThanOrEqual(CELL_JOINS_MAX + 1);
    expect(shown.map(({ chars }) => chars).join('')).toBe(text);
  });
});
