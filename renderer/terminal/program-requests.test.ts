import headless from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import type { ClipboardRequest } from '../../shared/terminal/clipboard-policy.ts';
import {
  CLIPBOARD_WRITE_MAX_BYTES,
  LINK_LINES_MAX,
  LINK_MARKERS_MAX,
  LINK_MAX_CHARS,
  PALETTE_MAX_CHARS,
} from '../../shared/terminal/limits.ts';
import { ProgramColours } from '../../shared/terminal/program-colours.ts';
import { limitProgramRequests } from './program-requests.ts';

function limitedTerminal() {
  const terminal = new headless.Terminal({ cols: 80, rows: 5, scrollback: 5_000, allowProposedApi: true });
  const clipboard: ClipboardRequest[] = [];
  const replies: string[] = [];
  const titles: string[] = [];
  terminal.onData((data) => replies.push(data));
  terminal.onTitleChange((title) => titles.push(title));
  // headless and browser terminals share the parts that this uses
  limitProgramRequests(terminal as never, (request) => clipboard.push(request));
  const write = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));
  return { terminal, clipboard, replies, titles, write };
}

const osc = (payload: string) => `\x1b]${payload}\x07`;

describe('limitProgramRequests', () => {
  it('answers no clipboard read (B13) and no title or size report (B15)', async () => {
    const { replies, clipboard, write } = limitedTerminal();
    await write(
      `${osc('52;c;?')}\x1b]52;c;?\x1b\\\x1b]0;x;touch PWNED\r\x07\x1b[21t\x1b[20t\x1b[18t\x1b[14t`,
    );
    expect(replies).toEqual([]);
    expect(clipboard).toEqual([{ kind: 'read' }, { kind: 'read' }]);
  });

  it('takes a clipboard write in pieces of one byte, up to its bound (B13)', async () => {
    const { clipboard, write } = limitedTerminal();
    for (const char of `\x1b]52;c;${Buffer.from('text').toString('base64')}\x1b\\`) await write(char);
    await write(osc(`52;c;${Buffer.from('x'.repeat(CLIPBOARD_WRITE_MAX_BYTES)).toString('base64')}`));
    expect(clipboard[0]).toEqual({ kind: 'write', text: 'text' });
    expect(clipboard[1]).toEqual({ kind: 'write', text: 'x'.repeat(CLIPBOARD_WRITE_MAX_BYTES) });
  });

  it('drops what is longer than a sequence may be, and goes on after it (B13, B30)', async () => {
    const { clipboard, titles, terminal, write } = limitedTerminal();
    await write('\x1b]52;c;');
    for (let i = 0; i < 20; i += 1) await write('A'.repeat(1_000_000));
    await write(`\x07\x1b]0;${'0'.repeat(5_000_000)}\x07${osc('0;title')}ok`);
    expect(clipboard).toEqual([]);
    expect(titles).toEqual(['title']);
    expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('ok');
  });

  it('sets a whole palette, and drops a longer list of colours (B30)', async () => {
    const { terminal, write } = limitedTerminal();
    const colours = new ProgramColours(terminal);
    const palette = Array.from({ length: 256 }, (_, index) => `;${index};rgb:1234/5678/9abc`).join('');
    await write(osc(`4${palette}${palette}`));
    expect(`${palette}${palette}`.length).toBeGreaterThan(PALETTE_MAX_CHARS);
    expect(colours.sequence).toBe('');
    await write(osc(`4${palette}`));
    expect(colours.sequence.split('\x1b\\')).toHaveLength(257);
  });

  it('keeps a bounded number of links, the newest ones (B30)', async () => {
    const { terminal, write } = limitedTerminal();
    await write(osc('8;;https://example.com/').repeat(3 * LINK_MARKERS_MAX));
    expect(terminal.markers.length).toBeLessThanOrEqual(LINK_MARKERS_MAX + 1);
    expect(Math.max(...terminal.markers.map(({ id }) => id))).toBeGreaterThan(2 * LINK_MARKERS_MAX);
  });

  it('a link that is left open marks a bounded number of lines, and is served (B14, B30)', async () => {
    const { terminal, write } = limitedTerminal();
    await write(osc('8;;https://example.com/') + 'y\r\n'.repeat(3 * LINK_MARKERS_MAX));
    expect(terminal.markers.length).toBeLessThanOrEqual(LINK_LINES_MAX);
    expect(terminal.markers.at(-1)?.line).toBe(3 * LINK_MARKERS_MAX - 1);
    await write(`${osc('8;;https://example.com/other')}z`);
    const marked = terminal.markers.map(({ id }) => id);
    await write('z'.repeat(10));
    expect(terminal.markers.map(({ id }) => id)).toEqual(marked);
    await write(`${osc('8;;https://example.com/')}x\r\nx`.repeat(2 * LINK_MARKERS_MAX));
    expect(terminal.markers.length).toBeLessThanOrEqual(LINK_MARKERS_MAX + 1);
  });

  it('a reset gives up the links of both screens (B30)', async () => {
    const { terminal, write } = limitedTerminal();
    const link = `${osc('8;;https://example.com/')}x\r\n${osc('8;;')}`;
    await write(link.repeat(3));
    const links = [...terminal.markers];
    await write(`\x1b[?1049h${link.repeat(2)}`);
    links.push(...terminal.markers);
    expect(links).toHaveLength(5);
    await write('\x1bcok');
    expect(links.map(({ isDisposed }) => isDisposed)).toEqual([true, true, true, true, true]);
    expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('ok');
  });

  it('takes a link that is far too long for plain text (B14)', async () => {
    const { terminal, write } = limitedTerminal();
    await write(`${osc(`8;;https://example.com/${'x'.repeat(100_000)}`)}label${osc('8;;')}`);
    expect(terminal.markers.length).toBe(0);
    await write(`${osc(`8;;https://example.com/${'x'.repeat(LINK_MAX_CHARS)}`)}label${osc('8;;')}`);
    expect(terminal.markers.length).toBe(1);
  });

  it('repeats a character for one line at most (B30)', async () => {
    const { terminal, write } = limitedTerminal();
    await write('=\x1b[79b');
    expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('='.repeat(80));
    await write('\r\n=\x1b[2147483647b');
    const { cursorX, cursorY } = terminal.buffer.active;
    expect([cursorX, cursorY]).toEqual([1, 2]);
  });

  it.each(['L', 'M', 'S', 'T', 'I', 'Z', 'b'])(
    'carries out a huge count of CSI %s at once (B30)',
    async (final) => {
      const screenAfter = async (count: number) => {
        const { terminal, write } = limitedTerminal();
        await write(`a\r\nb\r\nc\x1b[2;3Hx\x1b[${count}${final}`);
        const { active } = terminal.buffer;
        const lines = Array.from({ length: active.length }, (_, y) =>
          active.getLine(y)?.translateToString(true),
        );
        return [lines, active.cursorX, active.cursorY];
      };
      expect(await screenAfter(2_147_483_647)).toEqual(await screenAfter(80 * 5));
    },
  );
});
