import type { ExportProgress } from '../../../../shared/protocol/transcript-requests.ts';

/** Milliseconds between two reports, and bytes after which the clock is looked at. */
const TELL_MS = 100;
const LOOK_BYTES = 16 * 1024;

/** How far the readings of a recording are, that an export consists of. */
export class ReadMeter {
  /** Of the recording. */
  #bytes = 0;
  readonly #tell: (progress: ExportProgress) => void;
  /** As many readings as are expected; more of them wait at the end. */
  readonly #readings: number;
  #reading = -1;
  #lookAt = 0;
  #toldAt = performance.now();

  constructor(readings: number, tell: (progress: ExportProgress) => void) {
    this.#readings = readings;
    this.#tell = tell;
  }

  /** `bytes`: of the recording. */
  begin(bytes: number): void {
    this.#bytes = bytes;
    this.#tell({ share: 0, bytes });
  }

  /** The next reading begins. */
  start(): void {
    this.#reading += 1;
    this.#lookAt = 0;
    this.at(0);
  }

  /** This reading has come to an offset of the recording. */
  at(offset: number): void {
    if (offset < this.#lookAt) return;
    this.#lookAt = offset + LOOK_BYTES;
    const now = performance.now();
    if (now - this.#toldAt < TELL_MS) return;
    this.#toldAt = now;
    const read = this.#bytes === 0 ? 0 : offset / this.#bytes;
    this.#tell({ share: Math.min(1, (this.#reading + read) / this.#readings), bytes: this.#bytes });
  }
}
