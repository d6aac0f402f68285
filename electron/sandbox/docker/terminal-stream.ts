import type { Duplex } from 'node:stream';
import type { Disposable } from '../../../shared/disposable.ts';
import { INPUT_QUEUE_MAX_BYTES } from '../../../shared/terminal/limits.ts';
import { OutputListener } from '../output-listener.ts';
import { settledWithin } from '../wait.ts';

/** Bytes kept for a listener that does not come: more than a daemon's socket holds is never read before there is one. */
const KEPT_MAX_BYTES = 1024 * 1024;

/** Bytes that a listener who has paused, or does not come, is given of what is read without its asking once all is to end. */
const UNASKED_MAX_BYTES = 1024 * 1024;

/**
 * The host's end of a container's terminal: a raw stream, read only while somebody wants its bytes. While it is not read, the
 * socket fills, the daemon waits, and the program with it (ST-18).
 */
export class TerminalStream {
  /** When the last byte came or the connection broke; with the reason of the latter. */
  readonly closed: Promise<Error | null>;
  readonly #stream: Duplex;
  readonly #output = new OutputListener(() => this.#applyFlow());
  /** Read whoever wants it: for the first lines, and after the end. */
  #urgent = false;
  /** Bytes that may still come unasked; null as long as nothing is to end. */
  #unaskedBytes: number | null = null;
  #pendingBytes = 0;
  #arrived = () => {};

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.pause();
    stream.on('data', (chunk: Buffer) => this.#deliver(chunk));
    this.closed = new Promise((resolve) => {
      let failure: Error | null = null;
      stream.on('error', (error) => {
        failure = error;
      });
      stream.on('end', () => resolve(null));
      stream.on('close', () => resolve(failure ?? new Error('the connection was closed')));
    });
  }

  /** One listener; what came before it is given first. */
  onOutput(listener: (bytes: Uint8Array) => void): Disposable {
    return this.#output.set(listener);
  }

  pause(): void {
    this.#output.pause();
  }

  resume(): void {
    this.#output.resume();
  }

  /** Resolves when the socket has the bytes, in call order. Rejects after the end, or when too many are waiting. */
  write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return Promise.resolve();
    if (this.#pendingBytes + bytes.length > INPUT_QUEUE_MAX_BYTES)
      return Promise.reject(new Error(`More than ${INPUT_QUEUE_MAX_BYTES} bytes of input are waiting.`));
    this.#pendingBytes += bytes.length;
    return new Promise((resolve, reject) => {
      if (!this.#stream.writable) {
        this.#pendingBytes -= bytes.length;
        reject(new Error('The terminal has ended.'));
        return;
      }
      // Copied: a stream keeps what it cannot write at once, and the caller may use its buffer again.
      this.#stream.write(Buffer.from(bytes), (error) => {
        this.#pendingBytes -= bytes.length;
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /**
   * Takes the first bytes of the output up to where `endOf` says they end (a count of bytes), before anybody listens. Null when
   * the stream or `limitMs` milliseconds ended first; then nothing was taken.
   */
  async take(endOf: (bytes: Buffer) => number | null, limitMs: number): Promise<Buffer | null> {
    this.#urgent = true;
    this.#applyFlow();
    try {
      const found = new Promise<Buffer>((resolve) => {
        this.#arrived = () => {
          const end = endOf(Buffer.concat(this.#output.unheard));
          if (end === null) return;
          // What comes at once after it is the next one's to take.
          this.#arrived = () => {};
          resolve(this.#output.takeUnheard(end));
        };
        this.#arrived();
      });
      const closed = this.closed.then(() => null);
      const first = Promise.race([found, closed]);
      return (await settledWithin(first, limitMs)) ? await first : null;
    } finally {
      this.#arrived = () => {};
      this.#urgent = false;
      this.#applyFlow();
    }
  }

  /**
   * Reads from now on, paused or not: a daemon that cannot get rid of output ends no program, and removes no container. What comes
   * unasked is bounded; the rest of a flood is thrown away.
   */
  letGo(): void {
    this.#unaskedBytes ??= UNASKED_MAX_BYTES;
    this.#applyFlow();
  }

  /** Reads what is left to its end, paused or not, for at most `limitMs` milliseconds; then the connection is closed. */
  async finish(limitMs: number): Promise<void> {
    this.#urgent = true;
    this.#applyFlow();
    await settledWithin(this.closed, limitMs);
    this.#stream.destroy();
  }

  destroy(): void {
    this.#stream.destroy();
  }

  /** What came and nobody has taken, for words about a failure. */
  get unheard(): string {
    return Buffer.concat(this.#output.unheard).toString('utf8');
  }

  #deliver(chunk: Buffer): void {
    const bytes = this.#bounded(chunk);
    if (bytes.length === 0) return;
    const isHeard = this.#output.isThere;
    this.#output.deliver(bytes);
    if (isHeard) return;
    this.#arrived();
    this.#applyFlow();
  }

  #bounded(chunk: Buffer): Buffer {
    if (this.#unaskedBytes === null || this.#output.isReady) return chunk;
    const taken = chunk.subarray(0, this.#unaskedBytes);
    this.#unaskedBytes -= taken.length;
    return taken;
  }

  #applyFlow(): void {
    const { isThere, isReady, unheardBytes } = this.#output;
    const wanted = this.#urgent ? isThere || unheardBytes < KEPT_MAX_BYTES : isReady;
    if (wanted || this.#unaskedBytes !== null) this.#stream.resume();
    else this.#stream.pause();
  }
}
