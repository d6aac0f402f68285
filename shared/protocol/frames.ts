import { INPUT_ORIGINS, type InputOrigin } from '../terminal/input-origin.ts';
import { INPUT_FRAME_MAX_BYTES } from '../terminal/limits.ts';

/**
 * The two binary frames (DESIGN 3), the same bytes on both carriers:
 *
 *   output  u8 1 · u32 channel (big endian) · payload
 *   input   u8 2 · u32 channel (big endian) · u8 origin (index into INPUT_ORIGINS) · payload
 */
const OUTPUT = 1;
const INPUT = 2;
export const OUTPUT_HEADER_BYTES = 5;
export const INPUT_HEADER_BYTES = 6;

export interface OutputFrame {
  readonly channel: number;
  readonly bytes: Uint8Array;
}

export interface InputFrame {
  readonly channel: number;
  readonly origin: InputOrigin;
  readonly bytes: Uint8Array;
}

/** Writes the head of an output frame, whose payload follows it at OUTPUT_HEADER_BYTES. */
export function writeOutputHeader(frame: Uint8Array, channel: number): void {
  frame[0] = OUTPUT;
  writeChannel(frame, channel);
}

/** The payload is a view into `data`, not a copy. Null when `data` is not an output frame. */
export function decodeOutput(data: Uint8Array): OutputFrame | null {
  if (data.length < OUTPUT_HEADER_BYTES || data[0] !== OUTPUT) return null;
  return { channel: readChannel(data), bytes: data.subarray(OUTPUT_HEADER_BYTES) };
}

/** `bytes` must not exceed INPUT_FRAME_MAX_BYTES; the host refuses a longer frame. */
export function encodeInput(frame: InputFrame): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(INPUT_HEADER_BYTES + frame.bytes.length);
  out[0] = INPUT;
  writeChannel(out, frame.channel);
  out[5] = INPUT_ORIGINS.indexOf(frame.origin);
  out.set(frame.bytes, INPUT_HEADER_BYTES);
  return out;
}

/** Null when `data` is not an input frame, names no origin, or is longer than INPUT_FRAME_MAX_BYTES. */
export function decodeInput(data: Uint8Array): InputFrame | null {
  if (data.length < INPUT_HEADER_BYTES || data[0] !== INPUT) return null;
  if (data.length - INPUT_HEADER_BYTES > INPUT_FRAME_MAX_BYTES) return null;
  const origin = INPUT_ORIGINS[data[5] as number];
  if (origin === undefined) return null;
  return { channel: readChannel(data), origin, bytes: data.subarray(INPUT_HEADER_BYTES) };
}

function writeChannel(out: Uint8Array, channel: number): void {
  new DataView(out.buffer, out.byteOffset).setUint32(1, channel);
}

function readChannel(data: Uint8Array): number {
  return new DataView(data.buffer, data.byteOffset).getUint32(1);
}
