import { readSync } from 'node:fs';
import { ReadStream } from 'node:tty';

/** Bytes of one chunk given to the listener, at most. */
const CHUNK_BYTES = 64 * 1024;

/** Bytes that the kernel gives in one read of a PTY at most. A read of that many says that there may be more. */
const KERNEL_READ_BYTES = 4095;

/** Bytes that one drain step reads before it yields to the event loop. */
const DRAIN_STEP_BYTES = 256 * 1024;

/**
 * Reads a PTY master. The kernel gives at most 4 KiB per read, so a read that was full is followed by more, up to one
 * chunk: fewer turns of the event loop, and fewer messages to the client. While paused nothing is read, and the
 * kernel holds the writer back.
 */
export class OutputReader {
  readonly #master: number;
  readonly #stream: ReadStream;
  readonly #deliver: (chunk: Uint8Array) => void;
  readonly #chunk = new Uint8Array(CHUNK_BYTES);
  #paused = true;

  /**
   * Starts paused. Takes the descriptor over: `close` closes it. What `deliver` gets is valid during the call only.
   */
  constructor(master: number, deliver: (chunk: Uint8Array) => void) {
    this.#master = master;
    this.#deliver = deliver;
    this.#stream = new ReadStream(master, {
      onread: {
        buffer: this.#chunk,
        callback: (length) => {
          deliver(this.#chunk.subarray(0, this.#readAhead(length)));
          return !this.#paused;
        },
      },
    });
    // EIO is how a PTY says that every other side is closed; the drain finds that out by itself.
    this.#stream.on('error', () => {});
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#stream.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#stream.resume();
  }

  /**
   * Delivers what the PTY holds now, paused or not, at most `DRAIN_STEP_BYTES`. True when it is empty. The reader
   * must be paused for good by then, and the caller must hold a slave open: otherwise libuv takes the hang-up for the
   * end although bytes are left.
   */
  drainStep(): boolean {
    for (let total = 0; total < DRAIN_STEP_BYTES; ) {
      const length = this.#readAhead(this.#readAvailable(0));
      if (length === 0) return true;
      total += length;
      this.#deliver(this.#chunk.subarray(0, length));
    }
    return false;
  }

  close(): void {
    this.#paused = true;
    this.#stream.destroy();
  }

  /** The length of the chunk, of which `length` bytes are there already. */
  #readAhead(length: number): number {
    let total = length;
    for (let last = length; last >= KERNEL_READ_BYTES && total < CHUNK_BYTES; ) {
      last = this.#readAvailable(total);
      total += last;
    }
    return total;
  }

  /** Bytes read into the chunk from `offset` on; 0 when there is nothing to read, now (EAGAIN) or ever (EIO). */
  #readAvailable(offset: number): number {
    try {
      return readSync(this.#master, this.#chunk, offset, CHUNK_BYTES - offset, null);
    } catch {
      return 0;
    }
  }
}
