import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import type { CastEvent } from '../../cast/events.ts';
import type { CastHeader } from '../../cast/header.ts';
import { readSegments } from '../../cast/reader.ts';
import { bytesOf, type Segment, segmentsOf } from '../../cast/segments.ts';
import type { ReadMeter } from './read-meter.ts';

export type SourceEvent = Exclude<CastEvent, { kind: 'header' }>;

/**
 * A recording as it was when it was opened, to be read as often as needed. Files are only ever read; what a recorder adds
 * meanwhile is not seen.
 */
export class ExportSource {
  readonly header: CastHeader;
  readonly #segments: readonly Segment[];
  readonly #meter: ReadMeter;

  /** Throws when the folder cannot be read or does not begin with a header. */
  constructor(folder: string, meter: ReadMeter) {
    this.#segments = segmentsOf(folder);
    this.#meter = meter;
    meter.begin(bytesOf(this.#segments));
    const first = readSegments(this.#segments).next().value;
    if (first?.kind !== 'header') throw new Error('The recording has no header.');
    this.header = first.header;
  }

  get size(): TerminalSize {
    const { cols, rows } = this.header.term;
    return { cols, rows };
  }

  /** The headers of later segments come as a resize where their size is another one. */
  *events(): Generator<SourceEvent> {
    let { cols, rows } = this.size;
    this.#meter.start();
    for (const event of readSegments(this.#segments)) {
      this.#meter.at(event.end);
      if (event.kind === 'resize') ({ cols, rows } = event.size);
      if (event.kind !== 'header') {
        yield event;
        continue;
      }
      const { header, ...place } = event;
      const size = { cols: header.term.cols, rows: header.term.rows };
      if (size.cols === cols && size.rows === rows) continue;
      ({ cols, rows } = size);
      yield { ...place, kind: 'resize', size };
    }
  }

  /** Of the bytes of the segments, one behind the other. */
  async sha256(): Promise<string> {
    const hash = createHash('sha256');
    this.#meter.start();
    for (const { path, bytes } of this.#segments) {
      if (bytes === 0) continue;
      for await (const chunk of createReadStream(path, { end: bytes - 1 })) hash.update(chunk);
    }
    return hash.digest('hex');
  }
}
