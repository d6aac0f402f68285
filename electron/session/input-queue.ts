import type { Disposable } from '../../shared/disposable.ts';
import { INPUT_CHUNK_COST_BYTES, INPUT_QUEUE_MAX_BYTES } from '../../shared/terminal/limits.ts';

/** `full` and `closed`: nothing of the chunk was taken. */
export type PushOutcome = 'taken' | 'full' | 'closed';

interface Chunk {
  readonly bytes: Uint8Array;
  /** Settles when the chunk may be written; null: at once. */
  readonly after: Promise<unknown> | null;
}

/**
 * Accepted input on its way to the terminal: in order, one write at a time, bounded (ST-3). A chunk may have to wait
 * for something, such as a resize that was asked for before it (ST-9); what follows it waits too.
 *
 * Once a chunk was refused, everything is until the queue is empty: a paste that comes in many chunks loses its end,
 * not a piece of its middle.
 */
export class InputQueue implements Disposable {
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  readonly #failed: (reason: unknown) => void;
  #waiting: Chunk[] = [];
  #usedBytes = 0;
  #full = false;
  #pumping = false;
  #disposed = false;

  /** `failed` is told once when a write rejects; the queue has then given up what it held. */
  constructor(write: (bytes: Uint8Array) => Promise<void>, failed: (reason: unknown) => void) {
    this.#write = write;
    this.#failed = failed;
  }

  push(bytes: Uint8Array, after: Promise<unknown> | null): PushOutcome {
    if (this.#disposed) return 'closed';
    const cost = costOf(bytes);
    this.#full ||= this.#usedBytes + cost > INPUT_QUEUE_MAX_BYTES;
    if (this.#full) return 'full';
    this.#usedBytes += cost;
    this.#waiting.push({ bytes, after });
    // On an idle queue the write is called before this returns: one keystroke waits for nothing.
    if (!this.#pumping) void this.#pump();
    return 'taken';
  }

  dispose(): void {
    this.#disposed = true;
    this.#waiting = [];
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    try {
      while (this.#waiting.length > 0) await this.#writeAll(this.#takeWaiting());
    } catch (reason) {
      const first = !this.#disposed;
      this.dispose();
      if (first) this.#failed(reason);
    } finally {
      this.#pumping = false;
    }
  }

  /** Newest first, so that taking from the end is in order and lets go of what was written. */
  #takeWaiting(): Chunk[] {
    const taken = this.#waiting.reverse();
    this.#waiting = [];
    return taken;
  }

  async #writeAll(newestFirst: Chunk[]): Promise<void> {
    for (let chunk = newestFirst.pop(); chunk !== undefined; chunk = newestFirst.pop()) {
      if (chunk.after !== null) await chunk.after;
      if (this.#disposed) return;
      await this.#write(chunk.bytes);
      this.#usedBytes -= costOf(chunk.bytes);
      if (this.#usedBytes === 0) this.#full = false;
    }
  }
}

function costOf(bytes: Uint8Array): number {
  return bytes.length + INPUT_CHUNK_COST_BYTES;
}
