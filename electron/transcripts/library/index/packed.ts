import * as zlib from 'node:zlib';
import type { FinalLine } from '../text/logical-lines.ts';

const ZSTD = 1;
const DEFLATE = 2;
const FAST = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };

/** A Node that was built without Zstandard deflates, three times as slowly. */
export function packText(text: string): Uint8Array {
  const hasZstd = typeof zlib.zstdCompressSync === 'function';
  const packed = hasZstd ? zlib.zstdCompressSync(text, FAST) : zlib.deflateRawSync(text, { level: 1 });
  return Buffer.concat([Buffer.of(hasZstd ? ZSTD : DEFLATE), packed]);
}

/** Throws when it is damaged. */
export function unpackText(packed: Uint8Array): string {
  const bytes = packed.subarray(1);
  return (packed[0] === ZSTD ? zlib.zstdDecompressSync(bytes) : zlib.inflateRawSync(bytes)).toString('utf8');
}

/** Whole milliseconds, each as the difference to the one before, in groups of seven bits. */
export function packTimes(lines: readonly FinalLine[]): Uint8Array {
  const bytes: number[] = [];
  let before = 0;
  for (const { atMs } of lines) {
    // Up, so that playing to it has played what wrote the line.
    const now = Math.ceil(atMs);
    const difference = now - before;
    let rest = difference < 0 ? -difference * 2 - 1 : difference * 2;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
    bytes.push(rest);
    before = now;
  }
  return Uint8Array.from(bytes);
}

export function unpackTimes(packed: Uint8Array): number[] {
  const times: number[] = [];
  let now = 0;
  let [rest, factor] = [0, 1];
  for (const byte of packed) {
    rest += (byte & 0x7f) * factor;
    factor *= 0x80;
    if (byte > 0x7f) continue;
    now += rest % 2 === 0 ? rest / 2 : -(rest + 1) / 2;
    times.push(now);
    [rest, factor] = [0, 1];
  }
  return times;
}
