import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  INPUT_CHUNK_COST_BYTES,
  INPUT_QUEUE_MAX_BYTES,
  PASTE_MAX_BYTES,
} from '../../shared/terminal/limits.ts';
import { InputQueue } from './input-queue.ts';

const unreachable = () => expect.unreachable();
const never = () => new Promise<void>(() => {});
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('ST-3 bounds', () => {
  it('refuses what does not fit, takes nothing of it, and takes again when it is empty', async () => {
    const writes: { length: number; done: () => void }[] = [];
    const queue = new InputQueue(
      ({ length }) => new Promise<void>((done) => writes.push({ length, done })),
      unreachable,
    );
    const half = new Uint8Array(INPUT_QUEUE_MAX_BYTES / 2);
    expect(queue.push(half, null)).toBe('taken');
    expect(queue.push(Uint8Array.of(1), null)).toBe('taken');
    expect(queue.push(half, null)).toBe('full');
    expect(queue.push(Uint8Array.of(2), null)).toBe('full');
    writes[0]?.done();
    await settle();
    expect(queue.push(Uint8Array.of(3), null)).toBe('full');
    writes[1]?.done();
    await settle();
    expect(queue.push(half, null)).toBe('taken');
    expect(writes.map(({ length }) => length)).toEqual([half.length, 1, half.length]);
  });

  it('one-byte chunks are bounded by what they cost to keep', () => {
    const queue = new InputQueue(never, unreachable);
    let taken = 0;
    while (queue.push(Uint8Array.of(1), null) === 'taken') taken++;
    expect(taken).toBe(Math.floor(INPUT_QUEUE_MAX_BYTES / (1 + INPUT_CHUNK_COST_BYTES)));
  });

  it('typing still fits behind the longest paste', () => {
    const queue = new InputQueue(never, unreachable);
    expect(queue.push(new Uint8Array(PASTE_MAX_BYTES), null)).toBe('taken');
    expect(queue.push(Uint8Array.of(3), null)).toBe('taken');
  });
});

it('calls the write of an idle queue before push returns', () => {
  const write = vi.fn(never);
  new InputQueue(write, unreachable).push(Uint8Array.of(1), null);
  expect(write).toHaveBeenCalledOnce();
});

it('a write that fails is told once, and nothing is taken afterwards', async () => {
  const failed = vi.fn();
  const queue = new InputQueue(() => Promise.reject(new Error('gone')), failed);
  queue.push(Uint8Array.of(1), null);
  queue.push(Uint8Array.of(2), null);
  await settle();
  expect(failed).toHaveBeenCalledOnce();
  expect(queue.push(Uint8Array.of(3), null)).toBe('closed');
});

it('writes nothing after it was disposed, and tells no failure', async () => {
  const gate = Promise.withResolvers<void>();
  const write = vi.fn(async () => {});
  const queue = new InputQueue(write, unreachable);
  queue.push(Uint8Array.of(1), gate.promise);
  queue.dispose();
  gate.resolve();
  await settle();
  expect(write).not.toHaveBeenCalled();
});

it('B12 whatever the order in which gates open and writes end, bytes arrive whole and in order', async () => {
  const chunk = fc.record({ bytes: fc.uint8Array({ maxLength: 8 }), gated: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(chunk, { maxLength: 30 }), async (scheduler, chunks) => {
      const got: number[] = [];
      let writing = 0;
      const queue = new InputQueue(async (bytes) => {
        expect(++writing).toBe(1);
        got.push(...bytes);
        await scheduler.schedule(Promise.resolve(), 'write');
        writing--;
      }, unreachable);
      for (const { bytes, gated } of chunks) {
        queue.push(bytes, gated ? scheduler.schedule(Promise.resolve(), 'gate') : null);
      }
      await scheduler.waitIdle();
      expect(got).toEqual(chunks.flatMap(({ bytes }) => [...bytes]));
    }),
  );
});
