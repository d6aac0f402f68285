import type { Disposable } from '../../shared/disposable.ts';

/**
 * The one listener for a terminal's output, and what came before it. `changed` is called whenever output may be wanted that was
 * not, or no longer: reading starts or stops then (ST-18).
 */
export class OutputListener {
  readonly #changed: () => void;
  #listener: ((bytes: Uint8Array) => void) | null = null;
  #unheard: Uint8Array[] = [];
  #unheardBytes = 0;
  #isPaused = false;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get isThere(): boolean {
    return this.#listener !== null;
  }

  /** Somebody listens and has not paused. */
  get isReady(): boolean {
    return this.#listener !== null && !this.#isPaused;
  }

  /** What came and nobody has heard. */
  get unheard(): readonly Uint8Array[] {
    return this.#unheard;
  }

  get unheardBytes(): number {
    return this.#unheardBytes;
  }

  /** Replaces the one before; what came before it is given first. */
  set(listener: (bytes: Uint8Array) => void): Disposable {
    this.#listener = listener;
    for (const chunk of this.#takeAll()) listener(chunk);
    this.#changed();
    return {
      dispose: () => {
        if (this.#listener !== listener) return;
        this.#listener = null;
        this.#changed();
      },
    };
  }

  pause(): void {
    this.#isPaused = true;
    this.#changed();
  }

  resume(): void {
    this.#isPaused = false;
    this.#changed();
  }

  /** `bytes` are valid during the call only: they are copied where nobody listens yet. */
  deliver(bytes: Uint8Array): void {
    if (this.#listener !== null) this.#listener(bytes);
    else this.#keep(Uint8Array.from(bytes));
  }

  /** Takes the first `count` bytes of what nobody has heard. */
  takeUnheard(count: number): Buffer {
    const all = Buffer.concat(this.#takeAll());
    if (count < all.length) this.#keep(all.subarray(count));
    return all.subarray(0, count);
  }

  #keep(bytes: Uint8Array): void {
    this.#unheard.push(bytes);
    this.#unheardBytes += bytes.length;
  }

  #takeAll(): Uint8Array[] {
    const all = this.#unheard;
    this.#unheard = [];
    this.#unheardBytes = 0;
    return all;
  }
}
