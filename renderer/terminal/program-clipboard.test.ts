import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Emitter } from '../../shared/emitter.ts';
import { CLIPBOARD_WRITE_MIN_INTERVAL_MS } from '../../shared/terminal/limits.ts';
import { ProgramClipboard } from './program-clipboard.ts';
import type { TerminalEvents } from './terminal-events.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a flood of writes that are allowed reaches the clipboard now and then, its last one always (B13)', async () => {
  const written: string[] = [];
  const writeText = async (text: string) => void written.push(text);
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  const events = new Emitter<TerminalEvents>();
  const told: number[] = [];
  events.on('clipboardWritten', ({ chars }) => told.push(chars));
  const clipboard = new ProgramClipboard(events, () => true);
  clipboard.policy = 'allow';
  for (let i = 1; i <= 1_000; i += 1) clipboard.handle({ kind: 'write', text: `${i}` });
  expect(written).toEqual(['1']);
  await vi.advanceTimersByTimeAsync(CLIPBOARD_WRITE_MIN_INTERVAL_MS);
  expect(written).toEqual(['1', '1000']);
  expect(told).toEqual([1, 4]);
  clipboard.dispose();
});

it.each([
  ['its pane has lost the focus', 'allow', false],
  ['its session is over', 'off', true],
] as const)('a write that waits is dropped when %s (B13)', async (_, policy, focused) => {
  const written: string[] = [];
  vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => void written.push(text) } });
  let isFocused = true;
  const clipboard = new ProgramClipboard(new Emitter<TerminalEvents>(), () => isFocused);
  clipboard.policy = 'allow';
  for (const text of ['at once', 'late']) clipboard.handle({ kind: 'write', text });
  isFocused = focused;
  clipboard.policy = policy;
  await vi.advanceTimersByTimeAsync(CLIPBOARD_WRITE_MIN_INTERVAL_MS);
  expect(written).toEqual(['at once']);
  clipboard.dispose();
});
