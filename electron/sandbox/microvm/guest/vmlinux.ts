import { gunzipSync, zstdDecompressSync } from 'node:zlib';

/** Offsets and values of the setup header: Documentation/arch/x86/boot.rst of Linux. */
const HEADER = {
  setupSectors: 0x1f1,
  magic: { offset: 0x202, value: 'HdrS' },
  payloadOffset: 0x248,
  payloadLength: 0x24c,
} as const;
const SECTOR_BYTES = 512;
const DEFAULT_SETUP_SECTORS = 4;

/** The payload ends with its length before compression, as 32 bits. */
const LENGTH_BYTES = 4;

const LZ4_LEGACY = '02214c18';
const ELF = '7f454c46';

/**
 * The uncompressed kernel (ELF) inside a bzImage, or the file itself if it is one already: Firecracker takes nothing else,
 * and no machine then spends its start on decompressing. Throws in words, also where the result would be more than
 * `maxBytes`.
 */
export function extractVmlinux(image: Buffer, maxBytes: number): Buffer {
  if (startsWith(image, ELF)) return image;
  const { offset, value } = HEADER.magic;
  if (image.length < 1024 || image.toString('latin1', offset, offset + value.length) !== value)
    throw new Error('The kernel is neither a bzImage nor an ELF file.');
  const setup = (image[HEADER.setupSectors] || DEFAULT_SETUP_SECTORS) + 1;
  const start = setup * SECTOR_BYTES + image.readUInt32LE(HEADER.payloadOffset);
  const end = start + image.readUInt32LE(HEADER.payloadLength) - LENGTH_BYTES;
  if (end > image.length - LENGTH_BYTES || end <= start) throw new Error('The kernel image is cut short.');
  const length = image.readUInt32LE(end);
  if (length > maxBytes)
    throw new Error(`The kernel has ${length} bytes when it is unpacked; at most ${maxBytes} are taken.`);
  const kernel = decompress(image.subarray(start, end), length);
  if (kernel.length !== length || !startsWith(kernel, ELF))
    throw new Error('The kernel image is damaged: it does not unpack to an ELF file.');
  return kernel;
}

function decompress(payload: Buffer, length: number): Buffer {
  const options = { maxOutputLength: length };
  if (startsWith(payload, LZ4_LEGACY)) return unpackLz4Legacy(payload, length);
  if (startsWith(payload, '1f8b')) return gunzipSync(payload, options);
  if (startsWith(payload, '28b52ffd')) return zstdDecompressSync(payload, options);
  throw new Error('The kernel is compressed in a way that is not known here; LZ4, gzip and zstd are.');
}

function startsWith(bytes: Buffer, hex: string): boolean {
  return bytes.subarray(0, hex.length / 2).toString('hex') === hex;
}

/** The frame that `lz4 -l` writes: a magic number, then blocks, each with its compressed length. */
function unpackLz4Legacy(payload: Buffer, length: number): Buffer {
  const output = Buffer.alloc(length);
  let written = 0;
  for (let at = LZ4_LEGACY.length / 2; at + LENGTH_BYTES <= payload.length; ) {
    const blockEnd = at + LENGTH_BYTES + payload.readUInt32LE(at);
    if (blockEnd > payload.length) throw new Error('The kernel image is damaged: a block is cut short.');
    written = unpackBlock(payload.subarray(at + LENGTH_BYTES, blockEnd), output, written);
    at = blockEnd;
  }
  return output.subarray(0, written);
}

/** Bytes of the shortest match, which a token counts from. */
const MATCH_MIN = 4;
/** A length of this many in a token goes on in the bytes after it. */
const LENGTH_GOES_ON = 15;

/** One block of LZ4 (lz4_Block_format.md): literals, then a copy of what was written before, in turns. */
function unpackBlock(block: Buffer, output: Buffer, start: number): number {
  let at = 0;
  let written = start;
  const byte = () => {
    const value = block[at];
    if (value === undefined) throw new Error('The kernel image is damaged: a block is cut short.');
    at += 1;
    return value;
  };
  const rest = (short: number) => {
    let total = short;
    for (let more = short === LENGTH_GOES_ON ? 255 : 0; more === 255; total += more) more = byte();
    return total;
  };
  while (at < block.length) {
    const token = byte();
    const literals = rest(token >> 4);
    requireRoom(literals);
    block.copy(output, written, at, at + literals);
    at += literals;
    written += literals;
    if (at >= block.length) break;
    const distance = byte() | (byte() << 8);
    const match = rest(token & 0b1111) + MATCH_MIN;
    requireRoom(match);
    const source = written - distance;
    if (distance === 0 || source < 0) throw new Error('The kernel image is damaged: a copy from nowhere.');
    if (distance >= match) output.copyWithin(written, source, source + match);
    else for (let done = 0; done < match; done++) output[written + done] = output[source + done] as number;
    written += match;
  }
  return written;

  function requireRoom(bytes: number): void {
    if (written + bytes > output.length)
      throw new Error('The kernel image is damaged: it is longer than it says.');
  }
}
