import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import { CLOCK } from '../../../../shared/transcripts/limits.ts';
import { CastEncoder, formatHeader } from '../../cast/encoder.ts';
import type { CastHeader, OwnFacts } from '../../cast/header.ts';
import { segmentName } from '../../cast/segments.ts';

const WRITE_BYTES = 256 * 1024;

/** A transcript that comes to be under another name, and gets its own when it is whole. Throws when it cannot be written. */
export class ImportedFolder {
  readonly encoder = new CastEncoder();
  readonly #header: CastHeader & { readonly airlock: OwnFacts };
  readonly #folder: string;
  readonly #segmentMaxBytes: number;
  #size: TerminalSize;
  /** How things are behind the last line in a file. */
  #written: { readonly size: TerminalSize; readonly atUs: number };
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #file: number | null = null;
  #segment = 1;
  #segmentBytes = 0;
  #sinceClock = 0;
  #bytes = 0;

  /** `folder` must not exist. */
  constructor(folder: string, header: CastHeader & { readonly airlock: OwnFacts }, segmentMaxBytes: number) {
    this.#folder = folder;
    this.#segmentMaxBytes = segmentMaxBytes;
    this.#size = { cols: header.term.cols, rows: header.term.rows };
    this.#written = { size: this.#size, atUs: 0 };
    this.#header = header;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      this.#file = this.#open();
      this.#write(Buffer.from(formatHeader(header)));
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  /** `lines` of the encoder; `size`: of the screen behind them. */
  add(lines: Buffer, size: TerminalSize): void {
    this.#pending.push(lines);
    this.#pendingBytes += lines.length;
    this.#size = size;
    if (this.#pendingBytes >= WRITE_BYTES) this.#flush();
  }

  /** Gives it its name. Returns its bytes. */
  finish(folder: string): number {
    this.#flush();
    this.#close();
    renameSync(this.#folder, folder);
    return this.#bytes;
  }

  abandon(): void {
    this.#close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #next(): void {
    this.#close();
    this.#segment += 1;
    this.#segmentBytes = 0;
    this.#file = this.#open();
    const { airlock, term, timestamp, ...rest } = this.#header;
    const { size, atUs: startOffsetUs } = this.#written;
    const header: CastHeader = {
      ...rest,
      term: { ...term, ...size },
      ...(timestamp !== undefined && { timestamp: timestamp + Math.floor(startOffsetUs / 1_000_000) }),
      airlock: { ...airlock, segment: this.#segment, startOffsetUs },
    };
    this.#write(Buffer.from(formatHeader(header)));
  }

  #open(): number {
    return openSync(join(this.#folder, segmentName(this.#segment)), 'wx', 0o600);
  }

  #close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #flush(): void {
    const lines = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    if (this.#segmentBytes + lines.length > this.#segmentMaxBytes) this.#next();
    this.#write(lines);
    this.#written = { size: this.#size, atUs: this.encoder.lastUs };
    this.#sinceClock += lines.length;
    if (this.#sinceClock < CLOCK.everyBytes) return;
    this.#sinceClock = 0;
    this.#pending.push(this.encoder.clock());
  }

  #write(bytes: Buffer): void {
    const file = this.#file;
    if (file === null) return;
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    this.#segmentBytes += bytes.length;
    this.#bytes += bytes.length;
  }
}
