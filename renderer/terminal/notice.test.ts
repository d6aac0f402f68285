import headless from '@xterm/headless';
import type { Terminal } from '@xterm/xterm';
import { describe, expect, it } from 'vitest';
import { noticeText } from './notice.ts';

async function afterNotice(output: string, lines: string[]) {
  const terminal = new headless.Terminal({ cols: 40, rows: 6, allowProposedApi: true });
  const write = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));
  await write(output);
  const notice = noticeText(terminal as unknown as Terminal, lines);
  await write(notice ?? '');
  const rows = Array.from({ length: 6 }, (_, y) =>
    terminal.buffer.active.getLine(y)?.translateToString(true),
  );
  return { notice, rows, terminal };
}

describe('noticeText', () => {
  it('stands on lines of its own, dimmed, below what is typed (ST-14)', async () => {
    const { rows, terminal } = await afterNotice('$ l', ['~.  disconnect', '~~  a tilde']);
    expect(rows.slice(0, 4)).toEqual(['$ l', '~.  disconnect', '~~  a tilde', '']);
    expect(terminal.buffer.active.getLine(1)?.getCell(0)?.isDim()).toBeTruthy();
    expect([terminal.buffer.active.cursorX, terminal.buffer.active.cursorY]).toEqual([0, 3]);
  });

  it('needs no blank line when the cursor is at the start of one', async () => {
    expect((await afterNotice('one\r\n', ['note'])).rows.slice(0, 3)).toEqual(['one', 'note', '']);
  });

  it('leaves the text after it as it was', async () => {
    const { terminal } = await afterNotice('', ['note']);
    await new Promise<void>((resolve) => terminal.write('x', resolve));
    expect(terminal.buffer.active.getLine(1)?.getCell(0)?.isDim()).toBe(0);
  });

  it('shows controls instead of carrying them out', async () => {
    expect((await afterNotice('', ['a\x1b[2Jb\u202ec'])).rows[0]).toBe('a<ESC>[2Jb<U+202E>c');
  });

  it.each([
    ['on the alternate screen', '\x1b[?1049h'],
    ['within a control sequence', '\x1b[3'],
    ['within a title', '\x1b]0;tit'],
  ])('is not drawn %s', async (_name, output) => {
    expect((await afterNotice(output, ['x'])).notice).toBeNull();
  });
});
