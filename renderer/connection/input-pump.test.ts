import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeInput, type InputFrame } from '../../shared/protocol/frames.ts';
import {
  INPUT_FRAME_MAX_BYTES,
  INPUT_QUEUE_MAX_BYTES,
  PAGE_SOCKET_BACKLOG_BYTES,
} from '../../shared/terminal/limits.ts';
import { InputPump } from './input-pump.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A socket that counts what it was given and drains when told to. */
class Socket {
  bufferedAmount = 0;
  highest = 0;
  readonly frames: InputFrame[] = [];

  sendFrame(data: Uint8Array<ArrayBuffer>): void {
    const frame = decodeInput(data);
    if (frame === null) throw new Error('not an input frame');
    this.frames.push(frame);
    this.bufferedAmount += data.length;
    this.highest = Math.max(this.highest, this.bufferedAmount);
  }

  drain(bytes = this.bufferedAmount): void {
    this.bufferedAmount -= Math.min(bytes, this.bufferedAmount);
    vi.advanceTimersByTime(100);
  }

  drainAll(): void {
    while (this.bufferedAmount > 0) this.drain();
  }

  received(channel: number): Uint8Array {
    return Buffer.concat(this.frames.filter((frame) => frame.channel === channel).map(({ bytes }) => bytes));
  }
}

const filled = (length: number, byte: number) => new Uint8Array(length).fill(byte);

describe('InputPump', () => {
  it('sends a keystroke at once, with its origin', () => {
    const socket = new Socket();
    new InputPump(socket).send(3, 'typed', filled(1, 0x61));
    expect(socket.frames).toEqual([{ channel: 3, origin: 'typed', bytes: filled(1, 0x61) }]);
  });

  it('never fills a slow socket, and loses and reorders nothing (B12)', () => {
    const sends = fc.array(
      fc.record({
        channel: fc.integer({ min: 1, max: 3 }),
        length: fc.integer({ min: 1, max: 300_000 }),
        origin: fc.constantFrom('typed' as const, 'paste' as const),
        drained: fc.integer({ min: 0, max: 200_000 }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(sends, (list) => {
        const socket = new Socket();
        const pump = new InputPump(socket);
        for (const [index, { channel, length, origin, drained }] of list.entries()) {
          expect(pump.send(channel, origin, filled(length, index))).toBe(true);
          socket.drain(drained);
        }
        socket.drainAll();
        expect(socket.highest).toBeLessThanOrEqual(PAGE_SOCKET_BACKLOG_BYTES + INPUT_FRAME_MAX_BYTES + 6);
        for (const channel of [1, 2, 3]) {
          const sent = list.flatMap((send, index) =>
            send.channel === channel ? [filled(send.length, index)] : [],
          );
          expect(Buffer.compare(socket.received(channel), Buffer.concat(sent))).toBe(0);
        }
        for (const frame of socket.frames)
          expect(frame.bytes.length).toBeLessThanOrEqual(INPUT_FRAME_MAX_BYTES);
      }),
      { numRuns: 30 },
    );
  });

  it('lets typing in another session by, while a paste waits for the socket (ST-4)', () => {
    const socket = new Socket();
    const pump = new InputPump(socket);
    pump.send(1, 'paste', filled(4 * 1024 * 1024, 0x61));
    pump.send(2, 'typed', filled(1, 0x62));
    const before = socket.frames.length;
    socket.drain(2 * INPUT_FRAME_MAX_BYTES);
    expect(socket.frames.slice(before).map(({ channel }) => channel)).toContain(2);
    socket.drainAll();
    expect(socket.received(1).length).toBe(4 * 1024 * 1024);
  });

  it('keeps keys typed after a paste behind it (B12)', () => {
    const socket = new Socket();
    const pump = new InputPump(socket);
    pump.send(1, 'paste', filled(1_000_000, 0x61));
    pump.send(1, 'typed', filled(1, 0x58));
    socket.drainAll();
    expect(socket.received(1).at(-1)).toBe(0x58);
  });

  it('refuses what is more than a session may have waiting, whole, and takes more when it has drained', () => {
    const socket = new Socket();
    const pump = new InputPump(socket);
    const piece = filled(1024 * 1024, 0x61);
    let taken = 0;
    while (pump.send(1, 'paste', piece)) taken += piece.length;
    expect(taken).toBeLessThanOrEqual(
      INPUT_QUEUE_MAX_BYTES + PAGE_SOCKET_BACKLOG_BYTES + INPUT_FRAME_MAX_BYTES,
    );
    expect(pump.send(2, 'typed', filled(1, 0x62))).toBe(true);
    socket.drainAll();
    expect(socket.received(1).length).toBe(taken);
    expect(pump.send(1, 'paste', piece)).toBe(true);
  });

  it('sends nothing after it was disposed (B27)', () => {
    const socket = new Socket();
    const pump = new InputPump(socket);
    pump.send(1, 'paste', filled(1_000_000, 0x61));
    pump.dispose();
    const before = socket.frames.length;
    socket.drainAll();
    expect(socket.frames.length).toBe(before);
  });
});
