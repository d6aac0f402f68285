import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INPUT_ORIGINS } from '../terminal/input-origin.ts';
import { INPUT_FRAME_MAX_BYTES } from '../terminal/limits.ts';
import {
  decodeInput,
  decodeOutput,
  encodeInput,
  INPUT_HEADER_BYTES,
  OUTPUT_HEADER_BYTES,
  writeOutputHeader,
} from './frames.ts';

const channel = fc.integer({ min: 1, max: 0xffff_ffff });
const bytes = fc.uint8Array({ maxLength: 300 });

function encodeOutput(channel: number, bytes: Uint8Array): Uint8Array {
  const frame = new Uint8Array(OUTPUT_HEADER_BYTES + bytes.length);
  writeOutputHeader(frame, channel);
  frame.set(bytes, OUTPUT_HEADER_BYTES);
  return frame;
}

describe('binary frames', () => {
  it('output: what is decoded is what was encoded', () => {
    fc.assert(
      fc.property(channel, bytes, (number, payload) => {
        const decoded = decodeOutput(encodeOutput(number, payload));
        expect(decoded?.channel).toBe(number);
        expect(Buffer.from(decoded?.bytes ?? [])).toEqual(Buffer.from(payload));
      }),
    );
  });

  it('input: what is decoded is what was encoded, also as a view into a larger buffer', () => {
    fc.assert(
      fc.property(channel, fc.constantFrom(...INPUT_ORIGINS), bytes, (number, origin, payload) => {
        const frame = encodeInput({ channel: number, origin, bytes: payload });
        const view = Buffer.concat([Buffer.from('before'), frame, Buffer.from('after')]).subarray(
          6,
          6 + frame.length,
        );
        for (const data of [frame, view]) {
          const decoded = decodeInput(data);
          expect(decoded).toMatchObject({ channel: number, origin });
          expect(Buffer.from(decoded?.bytes ?? [])).toEqual(Buffer.from(payload));
        }
      }),
    );
  });

  it('one is never taken for the other, and a cut one for none', () => {
    const input = encodeInput({ channel: 1, origin: 'typed', bytes: Uint8Array.of(65) });
    const output = encodeOutput(1, Uint8Array.of(65));
    expect([decodeInput(output), decodeOutput(input)]).toEqual([null, null]);
    expect([decodeInput(input.subarray(0, 5)), decodeOutput(output.subarray(0, 4))]).toEqual([null, null]);
    expect([decodeInput(new Uint8Array()), decodeOutput(new Uint8Array())]).toEqual([null, null]);
  });

  it('input of an unknown origin or over the bound is no frame', () => {
    const frame = encodeInput({ channel: 1, origin: 'typed', bytes: new Uint8Array(INPUT_FRAME_MAX_BYTES) });
    expect(decodeInput(frame)).not.toBeNull();
    const unknown = Uint8Array.from(frame);
    unknown[INPUT_HEADER_BYTES - 1] = INPUT_ORIGINS.length;
    expect(decodeInput(unknown)).toBeNull();
    expect(decodeInput(Buffer.concat([frame, Uint8Array.of(0)]))).toBeNull();
  });
});
