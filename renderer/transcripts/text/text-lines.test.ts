import { describe, expect, it, vi } from 'vitest';
import { settle } from '../testing/fake-timers.ts';
import { ID, MemoryHost, textHandlers } from '../testing/memory-transcript.ts';
import { TextLines } from './text-lines.ts';

function setUp(count: number) {
  const lines = Array.from({ length: count }, (_, line) => ({ line, atMs: line * 10, text: `line ${line}` }));
  const host = new MemoryHost(textHandlers(lines));
  const onChange = vi.fn();
  return { host, onChange, lines: new TextLines(host, ID, count, onChange) };
}

describe('the lines of a text', () => {
  it('are asked for once where somebody looks, a page at a time', async () => {
    const { host, onChange, lines } = setUp(1_000);
    expect(lines.line(300)).toBe(null);
    expect(lines.line(301)).toBe(null);
    await settle();
    expect(onChange).toHaveBeenCalledTimes(1);
    expect(lines.line(300)?.text).toBe('line 300');
    expect(host.asked.map(({ params }) => params)).toEqual([{ id: ID, from: 250, count: 250 }]);
  });

  it('are found by their time in a few pages', async () => {
    const { host, lines } = setUp(100_000);
    expect(await lines.lineAt(654_325)).toBe(65_432);
    expect(host.asked.length).toBeLessThan(12);
    expect(await lines.lineAt(0)).toBe(0);
    expect(await lines.lineAt(9_999_999)).toBe(99_999);
  });

  it('have none at any time where there is no text', async () => {
    expect(await setUp(0).lines.lineAt(5)).toBe(null);
  });

  it('come in ranges over several pages', async () => {
    const range = await setUp(1_000).lines.range(248, 253);
    expect(range.map(({ line }) => line)).toEqual([248, 249, 250, 251, 252]);
  });

  it('are a bounded number in memory', async () => {
    const { host, lines } = setUp(100_000);
    for (let line = 0; line < 100_000; line += 250) lines.line(line);
    await settle();
    const before = host.asked.length;
    expect(lines.line(99_999)).not.toBe(null);
    expect(lines.line(0)).toBe(null);
    expect(host.asked.length).toBe(before + 1);
  });
});
