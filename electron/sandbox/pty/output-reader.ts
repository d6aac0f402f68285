import { readSync } from 'node:fs';
import { ReadStream } from 'node:tty';

/** Bytes of one read, and of one chunk given to the listener. */
const CHUNK_BYTES = 64 * 1024;

/** Bytes that one drain step reads before it yields to the event loop. */
const DRAIN_STEP_BYTES = 256 * 1024;

/**
 * Reads a PTY master. The kernel gives at most 4 KiB per read, so what arrives in one turn of the event loop is
 * joined into chunks of up to 64 KiB. While paused nothing is read and the kernel holds the writer back.
 */
export class OutputReader {
  readonly #master: number;
  readonly #stream: ReadStream;
  readonly #deliver: (chunk: Uint8Array) => void;
  readonly #joined = new Uint8Array(CHUNK_BYTES);
  #joinedBytes = 0;
  #flushScheduled: NodeJS.Immediate | null = null;
  #paused = true;

  /** Starts paused. Takes the descriptor over: `close` closes it. */
  constructor(master: number, deliver: (chunk: Uint8Array) => void) {
    this.#master = master;
    this.#deliver = deliver;
    this.#stream = new ReadStream(master, {
      onread: {
        buffer: new Uint8Array(CHUNK_BYTES),
        callback: (length, buffer) => {
          this.#join(buffer.subarray(0, length));
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
    this.#scheduleFlush();
    this.#stream.resume();
  }

  /**
   * Delivers what the PTY holds now, paused or not, at most `DRAIN_STEP_BYTES`. True when it is empty.
   * The reader must be paused for good by then, and the caller must hold a slave open: otherwise libuv may take a
   * hang-up for the end while bytes are left.
   */
  drainStep(): boolean {
    this.#flush();
    for (let total = 0; total < DRAIN_STEP_BYTES; ) {
      const length = readAvailable(this.#master, this.#joined);
      if (length === 0) return true;
      total += length;
      this.#deliver(this.#joined.slice(0, length));
    }
    return false;
  }

  close(): void {
    this.#paused = true;
    if (this.#flushScheduled) clearImmediate(this.#flushScheduled);
    this.#stream.destroy();
  }

  #join(bytes: Uint8Array): void {
    if (this.#joinedBytes + bytes.length > CHUNK_BYTES) this.#flush();
    this.#joined.set(bytes, this.#joinedBytes);
    this.#joinedBytes += bytes.length;
    this.#scheduleFlush();
  }

  #scheduleFlush(): void {
    this.#flushScheduled ??= setImmediate(() => {
      this.#flushScheduled = null;
      if (!this.#paused) this.#flush();
    });
  }

  #flush(): void {
    if (this.#joinedBytes === 0) return;
    const chunk = this.#joined.slice(0, this.#joinedBytes);
    this.#joinedBytes = 0;
    this.#deliver(chunk);
  }
}

/** Bytes read into `buffer`; 0 when there is nothing to read, now (EAGAIN) or ever (EIO). */
function readAvailable(fd: number, buffer: Uint8Array): number {
  try {
    return readSync(fd, buffer);
  } catch {
    return 0;
  }
}
