import { describe, expect, it, vi } from 'vitest';
import { settle } from '../testing/fake-timers.ts';
import { ID, MemoryHost, textHandlers } from '../testing/memory-transcript.ts';
import { TextLines } from './text-lines.ts';

function setUp(count: number) {
  const all = Array.from({ length: count }, (_, line) => ({ line, atMs: line * 10, text: `line ${line}` }));
  const host = new MemoryHost(textHandlers(all));
  const onChange = vi.fn();
  const now = (bytes = all.length) => ({
    id: ID,
    textLines: all.length,
    bytes,
    durationMs: bytes,
    indexed: 1,
  });
  return { all, now, host, onChange, lines: new TextLines(host, now(), onChange) };
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
    expect(range?.map(({ line }) => line)).toEqual([248, 249, 250, 251, 252]);
  });

  it('come in no range with a hole in it', async () => {
    const { host, lines } = setUp(1_000);
    const { request } = host;
    host.request = (async (verb: 'transcripts.text', params: { id: string; from: number; count: number }) =>
      params.from === 250
        ? { ok: false, error: { tag: 'internal', message: 'Gone.' } }
        : request.call(host, verb, params)) as never;
    expect(await lines.range(240, 510)).toBe(null);
    expect(await lines.range(240, 250)).toHaveLength(10);
  });

  it('of a text that grows are read anew, also where their number stays, and shown as they were until then', async () => {
    const { all, now, lines } = setUp(2);
    lines.line(1);
    await settle();
    all[1] = { line: 1, atMs: 9, text: '100 %' };
    lines.grown(now(50));
    expect(lines.line(1)?.text).toBe('line 1');
    await settle();
    expect(lines.line(1)?.text).toBe('100 %');
  });

  it('that have come while others were asked for are read when it is known that they are there', async () => {
    const { all, now, lines } = setUp(260);
    lines.line(255);
    await settle();
    for (let line = 260; line < 300; line += 1) all.push({ line, atMs: line, text: `line ${line}` });
    lines.line(0);
    await settle();
    expect(lines.total).toBe(260);
    lines.grown(now());
    lines.line(280);
    await settle();
    expect([lines.total, lines.line(280)?.text]).toEqual([300, 'line 280']);
  });

  it('that were asked for before a text has grown do not stay', async () => {
    const { all, now, host, lines } = setUp(2);
    const { request } = host;
    const slow = Promise.withResolvers<void>();
    host.request = async (...asked) => {
      const answer = await request.apply(host, asked);
      await slow.promise;
      return answer as never;
    };
    lines.line(1);
    await settle();
    host.request = request;
    all[1] = { line: 1, atMs: 9, text: 'new' };
    lines.grown(now(50));
    lines.line(1);
    await settle();
    slow.resolve();
    await settle();
    expect(lines.line(1)?.text).toBe('new');
  });

  it('are not asked for anew when nothing has changed', async () => {
    const { now, host, lines } = setUp(2);
    lines.line(1);
    await settle();
    lines.grown(now());
    lines.line(1);
    expect(host.asked.length).toBe(1);
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
