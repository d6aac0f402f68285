import { expect, it, vi } from 'vitest';
import { Emitter } from './emitter.ts';

interface Events {
  a: number;
  b: string;
}

it('brings each event to its listeners, in their order', () => {
  const emitter = new Emitter<Events>();
  const seen: unknown[] = [];
  emitter.on('a', (value) => seen.push(['first', value]));
  emitter.on('a', (value) => seen.push(['second', value]));
  emitter.on('b', (value) => seen.push(value));
  emitter.fire('a', 1);
  emitter.fire('b', 'x');
  expect(seen).toEqual([['first', 1], ['second', 1], 'x']);
});

it('calls a listener once for each time it was added, and not after it left', () => {
  const emitter = new Emitter<Events>();
  const seen: number[] = [];
  const listener = (value: number) => seen.push(value);
  const first = emitter.on('a', listener);
  const second = emitter.on('a', listener);
  emitter.fire('a', 1);
  first.dispose();
  first.dispose();
  emitter.fire('a', 2);
  second.dispose();
  emitter.fire('a', 3);
  expect(seen).toEqual([1, 1, 2]);
});

it('does not call a listener that another one took away', () => {
  const emitter = new Emitter<Events>();
  const seen: number[] = [];
  emitter.on('a', () => late.dispose());
  const late = emitter.on('a', (value) => seen.push(value));
  emitter.fire('a', 1);
  expect(seen).toEqual([]);
});

it('a listener that throws harms neither the others nor who fired', () => {
  const uncaught: (() => void)[] = [];
  vi.stubGlobal('queueMicrotask', (task: () => void) => uncaught.push(task));
  const emitter = new Emitter<Events>();
  const seen: number[] = [];
  emitter.on('a', () => {
    throw new Error('broken');
  });
  emitter.on('a', (value) => seen.push(value));
  emitter.fire('a', 1);
  vi.unstubAllGlobals();
  expect(seen).toEqual([1]);
  expect(uncaught).toHaveLength(1);
  expect(uncaught[0]).toThrow('broken');
});
