import { terminalSizeSchema } from '../../../../shared/terminal/size.ts';
import { OWN } from '../../cast/codes.ts';
import { LABEL } from '../redaction/cut-text.ts';
import { type ForeignEvent, type ForeignHeader, ImportError } from './foreign-event.ts';

/** Ten years; microseconds stay exact far above it. */
const TIME_MAX_SECONDS = 10 * 366 * 24 * 60 * 60;

/** Makes events of values that were parsed as JSON, and keeps the time. Throws ImportError. */
export class ForeignDecoder {
  readonly #version: ForeignHeader['version'];
  /** Seconds are summed as whole microseconds, so that they do not drift. */
  #atUs = 0;

  constructor(version: ForeignHeader['version']) {
    this.#version = version;
  }

  /** Null for an event that this version of Airlock does not know. `line`: to name in errors; an entry's number in v1. */
  event(value: unknown, line: number): ForeignEvent | null {
    if (!Array.isArray(value)) throw new ImportError(line, 'an event must be a list: time, code, data.');
    const [time, ...rest] = this.#version === 1 ? [value[0], 'o', value[1]] : value;
    this.#advance(time, line);
    const [code, data] = rest;
    if (typeof code !== 'string') throw new ImportError(line, 'the code of an event must be text.');
    if (!KNOWN.has(code)) return null;
    if (typeof data !== 'string') throw new ImportError(line, 'the data of an event must be text.');
    return this.#fact(code, data, line);
  }

  #advance(time: unknown, line: number): void {
    if (typeof time !== 'number' || !(time >= 0 && time <= TIME_MAX_SECONDS)) {
      throw new ImportError(line, 'the time must be a number of seconds from 0 to ten years.');
    }
    const us = Math.round(time * 1_000_000);
    const atUs = this.#version === 2 ? us : this.#atUs + us;
    if (atUs < this.#atUs) throw new ImportError(line, 'the time is before that of the event above.');
    if (atUs > TIME_MAX_SECONDS * 1_000_000)
      throw new ImportError(line, 'the recording is longer than ten years.');
    this.#atUs = atUs;
  }

  #fact(code: string, data: string, line: number): ForeignEvent {
    const atUs = this.#atUs;
    switch (code) {
      case 'o':
        return { atUs, kind: 'output', text: data };
      case 'i':
        return { atUs, kind: 'input', text: data };
      case 'm':
        return { atUs, kind: 'marker', label: data.slice(0, LABEL.maxChars).toWellFormed() };
      case 'x':
        return { atUs, kind: 'exit', status: data.slice(0, LABEL.maxChars).toWellFormed() };
      case OWN.bytes:
        return { atUs, kind: 'bytes', bytes: Buffer.from(data, 'base64') };
      default:
        return { atUs, kind: 'resize', size: sizeOf(data, line) };
    }
  }
}

const KNOWN: ReadonlySet<string> = new Set(['o', 'i', 'm', 'r', 'x', OWN.bytes]);

function sizeOf(data: string, line: number) {
  const [, cols, rows] = /^(\d{1,5})x(\d{1,5})$/.exec(data) ?? [];
  const size = terminalSizeSchema.safeParse({ cols: Number(cols), rows: Number(rows) });
  if (!size.success) throw new ImportError(line, 'the size must be COLSxROWS, each from 1 to 65535.');
  return size.data;
}
