import { isUtf8 } from 'node:buffer';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { CAST_EVENT_MAX_BYTES } from '../../../shared/transcripts/limits.ts';
import type { UntimedMoment } from '../../../shared/transcripts/moment.ts';
import { exitStatusOf, OWN } from './codes.ts';
import type { Ending } from './events.ts';
import type { CastHeader } from './header.ts';
import { jsonBytes } from './json-bytes.ts';
import { Utf8Splitter } from './utf8-splitter.ts';

const EMPTY = Buffer.alloc(0);
const LINE_END = Buffer.from(']\n');

/** The first line of a segment. */
export function formatHeader(header: CastHeader): string {
  return `${JSON.stringify(header)}
`;
}

/**
 * Events as lines of asciicast v3, in UTF-8. Times are steady microseconds since the start of the recording; a time before the last
 * one counts as the last one. Every interval is the difference of two whole numbers, so that they do not drift (B27).
 */
export class CastEncoder {
  readonly #output = new Utf8Splitter();
  readonly #input = new Utf8Splitter();
  #lastUs: number;

  constructor(startOffsetUs = 0) {
    this.#lastUs = startOffsetUs;
  }

  /** Of the last event, and so where a next segment begins. */
  get lastUs(): number {
    return this.#lastUs;
  }

  /** Empty while the bytes are only the beginning of a character. */
  output(atUs: number, bytes: Uint8Array): Buffer {
    return this.#bytes(atUs, 'o', this.#output.push(bytes));
  }

  input(atUs: number, bytes: Uint8Array): Buffer {
    return this.#bytes(atUs, 'i', this.#input.push(bytes));
  }

  resize(atUs: number, { cols, rows }: TerminalSize): Buffer {
    return this.#line(atUs, 'r', `${cols}x${rows}`);
  }

  moment(atUs: number, moment: UntimedMoment): Buffer {
    const marker = this.#line(atUs, 'm', moment.label);
    const about = this.#line(atUs, OWN.about, JSON.stringify({ ...moment, atMs: this.#lastUs / 1_000 }));
    return Buffer.concat([marker, about]);
  }

  /** A marker without more to it. */
  marker(atUs: number, label: string): Buffer {
    return this.#line(atUs, 'm', label);
  }

  /** A program's end as a foreign file says it. */
  exit(atUs: number, status: string): Buffer {
    return this.#line(atUs, 'x', status);
  }

  /** So that a reader can begin nearby, and find the time again behind a damaged line. */
  clock(): Buffer {
    return this.#line(this.#lastUs, OWN.clock, String(this.#lastUs));
  }

  /** What was held back, then the end. */
  end(atUs: number, ending: Ending): Buffer {
    const held = this.flush(atUs);
    const exit = exitStatusOf(ending);
    const about = this.#line(atUs, OWN.about, JSON.stringify(ending));
    return Buffer.concat(exit === null ? [held, about] : [held, this.#line(atUs, 'x', exit), about]);
  }

  /** The beginnings of characters that nothing completed. */
  flush(atUs: number): Buffer {
    const output = this.#bytes(atUs, 'o', this.#output.flush());
    return Buffer.concat([output, this.#bytes(atUs, 'i', this.#input.flush())]);
  }

  #bytes(atUs: number, code: 'o' | 'i', bytes: Uint8Array): Buffer {
    if (bytes.length <= CAST_EVENT_MAX_BYTES) return this.#piece(atUs, code, bytes);
    const pieces: Buffer[] = [];
    for (let from = 0; from < bytes.length; ) {
      const to = characterStart(bytes, Math.min(bytes.length, from + CAST_EVENT_MAX_BYTES), from);
      pieces.push(this.#piece(atUs, code, bytes.subarray(from, to)));
      from = to;
    }
    return Buffer.concat(pieces);
  }

  #piece(atUs: number, code: 'o' | 'i', bytes: Uint8Array): Buffer {
    if (bytes.length === 0) return EMPTY;
    if (isUtf8(bytes)) return this.#around(atUs, code, jsonBytes(bytes));
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const event = this.#line(atUs, code, buffer.toString('utf8'));
    return Buffer.concat([event, this.#line(atUs, OWN.bytes, buffer.toString('base64'))]);
  }

  #line(atUs: number, code: string, data: string): Buffer {
    return this.#around(atUs, code, Buffer.from(JSON.stringify(data)));
  }

  #around(atUs: number, code: string, json: Uint8Array): Buffer {
    const interval = Math.max(0, Math.round(atUs) - this.#lastUs);
    this.#lastUs += interval;
    return Buffer.concat([Buffer.from(lineStart(interval, code)), json, LINE_END]);
  }
}

/** An event as a line of asciicast v3, a whole number of microseconds after the one before it. */
export function castLine(intervalUs: number, code: string, data: string): string {
  return `${lineStart(intervalUs, code)}${JSON.stringify(data)}${LINE_END}`;
}

function lineStart(intervalUs: number, code: string): string {
  return `[${seconds(intervalUs)}, "${code}", `;
}

/** The start of a character at or shortly before `at`, above `from`; `at` itself where the bytes are not UTF-8. */
function characterStart(bytes: Uint8Array, at: number, from: number): number {
  for (let back = 0; back <= 3 && at - back > from; back += 1) {
    const byte = bytes[at - back];
    if (byte === undefined || (byte & 0xc0) !== 0x80) return at - back;
  }
  return at;
}

function seconds(us: number): string {
  if (us === 0) return '0';
  return `${Math.floor(us / 1_000_000)}.${String(us % 1_000_000).padStart(6, '0')}`;
}
