import { expect, it, vi } from 'vitest';
import { OutputListener } from './output-listener.ts';

const text = (chunks: readonly Uint8Array[]) => Buffer.concat(chunks).toString();

it('gives what came before the listener first, once, and as it was', () => {
  const output = new OutputListener(() => {});
  const reused = Buffer.from('one');
  output.deliver(reused);
  reused.fill('x');
  output.deliver(Buffer.from(' two'));
  expect(output.unheardBytes).toBe(7);
  const heard: Uint8Array[] = [];
  output.set((bytes) => heard.push(Uint8Array.from(bytes)));
  output.deliver(Buffer.from(' three'));
  expect(text(heard)).toBe('one two three');
  expect(output.unheardBytes).toBe(0);
});

it('is ready while somebody listens and has not paused, and tells of every change', () => {
  const seen: boolean[] = [];
  const output: OutputListener = new OutputListener(() => seen.push(output.isReady));
  const first = output.set(() => {});
  output.pause();
  output.resume();
  const second = output.set(() => {});
  first.dispose();
  expect(output.isThere).toBe(true);
  second.dispose();
  expect(seen).toEqual([true, false, true, true, false]);
});

it('takes the first bytes of what nobody has heard, wherever the chunks end', () => {
  const changed = vi.fn();
  const output = new OutputListener(changed);
  for (const chunk of ['a', 'bc', 'def']) output.deliver(Buffer.from(chunk));
  expect(output.takeUnheard(2).toString()).toBe('ab');
  expect([text(output.unheard), output.unheardBytes]).toEqual(['cdef', 4]);
  expect(output.takeUnheard(4).toString()).toBe('cdef');
  expect(output.unheard).toEqual([]);
  expect(changed).not.toHaveBeenCalled();
});
