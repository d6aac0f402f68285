import type { Frames } from '../../terminal/xterm-internals.ts';

/** The animation frames of a terminal, held back while it must not show what happens to it. One callback at a time. */
export class GatedFrames implements Frames {
  #held: FrameRequestCallback | null = null;
  #closed = false;
  #frame = 0;

  /** Never 0, which xterm takes for "none asked for". */
  readonly requestAnimationFrame = (callback: FrameRequestCallback): number => {
    this.#held = callback;
    if (!this.#closed) this.#ask();
    return 1;
  };

  readonly cancelAnimationFrame = (): void => {
    this.#held = null;
    window.cancelAnimationFrame(this.#frame);
  };

  close(): void {
    this.#closed = true;
    window.cancelAnimationFrame(this.#frame);
  }

  open(): void {
    this.#closed = false;
    if (this.#held !== null) this.#ask();
  }

  #ask(): void {
    window.cancelAnimationFrame(this.#frame);
    this.#frame = window.requestAnimationFrame((time) => {
      const callback = this.#held;
      this.#held = null;
      callback?.(time);
    });
  }
}
