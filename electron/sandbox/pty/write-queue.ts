import { writeSync } from 'node:fs';
import { INPUT_QUEUE_MAX_BYTES } from '../../../shared/terminal/limits.ts';

/** Milliseconds between two attempts while the reader is busy: doubled from `first` up to `last`. */
const RETRY_MS = { first: 1, last: 16 } as const;

interface PendingWrite {
  rest: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Ordered, bounded writes to a non-blocking descriptor. A write that the kernel takes only in part, or not now, is
 * continued until it is whole (B12); nothing is dropped, nothing overtakes, and the event loop never waits.
 */
export class WriteQueue {
  readonly #fd: number;
  readonly #pending: PendingWrite[] = [];
  #pendingBytes = 0;
  #retryMs: number = RETRY_MS.first;
  #timer: NodeJS.Timeout | null = null;
  #closed: Error | null = null;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Resolves when the kernel has all of `bytes`. Rejects when the queue is closed or would exceed its bound. */
  write(bytes: Uint8Array): Promise<void> {
    if (this.#closed) return Promise.reject(this.#closed);
    if (bytes.length === 0) return Promise.resolve();
    if (this.#pendingBytes + bytes.length > INPUT_QUEUE_MAX_BYTES) {
      return Promise.reject(new Error(`More than ${INPUT_QUEUE_MAX_BYTES} bytes of input are waiting.`));
    }
    return new Promise((resolve, reject) => {
      this.#pending.push({ rest: bytes, resolve, reject });
      this.#pendingBytes += bytes.length;
      if (this.#timer === null) this.#flush();
    });
  }

  /** Rejects what is waiting and everything after it. Must be called before the descriptor is closed. */
  close(reason: Error): void {
    if (this.#closed) return;
    this.#closed = reason;
    if (this.#timer) clearTimeout(this.#timer);
    for (const write of this.#pending.splice(0)) write.reject(reason);
    this.#pendingBytes = 0;
  }

  #flush(): void {
    this.#timer = null;
    for (let write = this.#pending[0]; write; write = this.#pending[0]) {
      let taken: number;
      try {
        taken = writeSync(this.#fd, write.rest);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') this.#retryLater();
        else this.close(error as Error);
        return;
      }
      this.#retryMs = RETRY_MS.first;
      this.#pendingBytes -= taken;
      write.rest = write.rest.subarray(taken);
      if (write.rest.length > 0) continue;
      this.#pending.shift();
      write.resolve();
    }
  }

  #retryLater(): void {
    this.#timer = setTimeout(() => this.#flush(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.last);
  }
}
