import { SMOLVM_BYTES } from './limits.ts';

interface PacedInputOptions {
  /** Bytes that are sent at once, at most. */
  readonly maxPieceBytes: number;
  /** Milliseconds after a piece when nothing comes back. */
  readonly paceMs: number;
  /** Resolves when the socket has it. */
  readonly send: (piece: Uint8Array) => Promise<void>;
}

/**
 * Input on its way to a machine, in order. A machine's terminal drops what does not fit, and nothing says so (section 4.3): a
 * paste goes in pieces, and after every SMOLVM_BYTES.piece bytes it waits for output, such as an echo, or for a moment. Keys
 * come slower than that, and wait for nothing.
 */
export class PacedInput {
  readonly #options: PacedInputOptions;
  #tail: Promise<void> = Promise.resolve();
  /** Bytes since something came back or the moment passed. */
  #unanswered = 0;
  #timer: NodeJS.Timeout | undefined;
  #wake: (() => void) | null = null;
  #closed: Error | null = null;

  constructor(options: PacedInputOptions) {
    this.#options = options;
  }

  /** Resolves when the socket has all of it; rejects when it was closed before that. */
  write(bytes: Uint8Array): Promise<void> {
    const written = this.#tail.then(() => this.#sendAll(bytes));
    this.#tail = written.catch(() => {});
    return written;
  }

  /** Output has come. */
  heard(): void {
    this.#unanswered = 0;
    clearTimeout(this.#timer);
    this.#wake?.();
    this.#wake = null;
  }

  /** Rejects what waits, and all that comes. */
  close(reason: Error): void {
    this.#closed ??= reason;
    this.heard();
  }

  async #sendAll(bytes: Uint8Array): Promise<void> {
    const size = Math.min(SMOLVM_BYTES.piece, this.#options.maxPieceBytes);
    for (let start = 0; start < bytes.length; start += size) {
      const piece = bytes.subarray(start, start + size);
      await this.#room(piece.length);
      if (this.#closed !== null) throw this.#closed;
      this.#unanswered += piece.length;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.heard(), this.#options.paceMs);
      await this.#options.send(piece);
    }
  }

  async #room(bytes: number): Promise<void> {
    while (this.#closed === null && this.#unanswered > 0 && this.#unanswered + bytes > SMOLVM_BYTES.piece) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
