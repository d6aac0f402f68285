import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeInput } from '../../shared/protocol/frames.ts';
import {
  INPUT_FRAME_MAX_BYTES,
  INPUT_QUEUE_MAX_BYTES,
  PAGE_SOCKET_BACKLOG_BYTES,
} from '../../shared/terminal/limits.ts';
import { InputPump } from './input-pump.ts';

/** A socket that takes what it is given and is emptied by hand. */
class SlowSocket {
  bufferedAmount = 0;
  most = 0;
  readonly frames: { channel: number; origin: string; bytes: Uint8Array }[] = [];

  sendFrame(frame: Uint8Array<ArrayBuffer>): void {
    this.bufferedAmount += frame.length;
    this.most = Math.max(this.most, this.bufferedAmount);
    const decoded = decodeInput(frame);
    if (decoded === null) throw new Error('That is no input frame.');
    this.frames.push(decoded);
  }

  /** Empties the socket until nothing more comes. */
  drain(): void {
    for (let before = -1; before !== this.frames.length; ) {
      before = this.frames.length;
      this.bufferedAmount = 0;
      vi.advanceTimersByTime(1_000);
    }
  }

  bytesOf(channel: number): Buffer {
    return Buffer.concat(this.frames.filter((frame) => frame.channel === channel).map(({ bytes }) => bytes));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('B12 a socket that is behind', () => {
  it('is never given much more than its backlog, and gets every byte in order', () => {
    const socket = new SlowSocket();
    const pump = new InputPump(socket);
    const paste = Uint8Array.from({ length: 1_000_000 }, (_, index) => index % 251);
    expect(pump.send(1, 'paste', paste)).toBe(true);
    expect(pump.send(1, 'typed', Uint8Array.of(255))).toBe(true);
    expect(socket.frames.length).toBeLessThan(1_000_000 / INPUT_FRAME_MAX_BYTES);
    socket.drain();
    expect(socket.most).toBeLessThan(PAGE_SOCKET_BACKLOG_BYTES + 2 * INPUT_FRAME_MAX_BYTES);
    expect(socket.bytesOf(1).equals(Buffer.concat([paste, Uint8Array.of(255)]))).toBe(true);
    expect(socket.frames.at(-1)).toMatchObject({ origin: 'typed' });
  });

  it('keeps a bounded number of bytes and takes nothing of what does not fit', () => {
    const socket = new SlowSocket();
    socket.bufferedAmount = PAGE_SOCKET_BACKLOG_BYTES + 1;
    const pump = new InputPump(socket);
    const half = new Uint8Array(INPUT_QUEUE_MAX_BYTES / 2);
    expect([pump.send(1, 'paste', half), pump.send(1, 'paste', half)]).toEqual([true, false]);
    expect(pump.send(2, 'typed', Uint8Array.of(1))).toBe(true);
    socket.drain();
    expect(socket.bytesOf(1).length).toBe(half.length);
    expect(pump.send(1, 'paste', half)).toBe(true);
  });

  it('ST-4 does not let a paste in one session hold up a key in another', () => {
    const socket = new SlowSocket();
    const pump = new InputPump(socket);
    pump.send(1, 'paste', new Uint8Array(3_000_000));
    const before = socket.frames.length;
    pump.send(2, 'typed', Uint8Array.of(3));
    socket.bufferedAmount = 0;
    vi.advanceTimersByTime(100);
    expect(socket.frames.slice(before, before + 2)).toContainEqual(expect.objectContaining({ channel: 2 }));
    expect(socket.bytesOf(1).length).toBeLessThan(3_000_000);
  });

  it('keeps the order of every session whatever is sent and drained when', () => {
    const step = fc.oneof(
      fc.record({ channel: fc.constantFrom(1, 2, 3), length: fc.integer({ min: 1, max: 200_000 }) }),
      fc.constant('drained' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const socket = new SlowSocket();
        const pump = new InputPump(socket);
        const sent = new Map<number, Buffer[]>();
        for (const [index, action] of steps.entries()) {
          if (action === 'drained') {
            socket.bufferedAmount = 0;
            vi.advanceTimersByTime(10);
            continue;
          }
          const bytes = Buffer.alloc(action.length, index);
          if (pump.send(action.channel, 'typed', bytes))
            sent.set(action.channel, [...(sent.get(action.channel) ?? []), bytes]);
        }
        socket.drain();
        for (const [channel, parts] of sent)
          expect(socket.bytesOf(channel).equals(Buffer.concat(parts))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

it('B27 what was held for a lost link is never sent', () => {
  const socket = new SlowSocket();
  socket.bufferedAmount = PAGE_SOCKET_BACKLOG_BYTES + 1;
  const pump = new InputPump(socket);
  pump.send(1, 'typed', Uint8Array.of(1));
  pump.dispose();
  socket.drain();
  expect(socket.frames).toEqual([]);
});

it('a key is on its way before send returns', () => {
  const socket = new SlowSocket();
  new InputPump(socket).send(7, 'typed', Uint8Array.of(3));
  expect(socket.frames).toEqual([{ channel: 7, origin: 'typed', bytes: Uint8Array.of(3) }]);
});
