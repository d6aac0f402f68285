import type { Disposable } from '../../shared/disposable.ts';
import { FRAME_PACE } from '../../shared/terminal/limits.ts';

/** What drawing costs this page, in milliseconds of `now`. One for all terminals: they share the page's thread. */
export class FrameCost {
  #endedAt = 0;
  #tookMs = 0;

  /** When the next frame may begin so that drawing takes no more than its share of the page's time. */
  get nextAt(): number {
    return this.#endedAt + Math.min(FRAME_PACE.maxWaitMs, this.#tookMs * (1 / FRAME_PACE.share - 1));
  }

  frame(beganAt: number, endedAt: number): void {
    this.#endedAt = endedAt;
    this.#tookMs = endedAt - beganAt;
  }
}

const pageFrameCost = new FrameCost();

/**
 * The animation frames of one terminal. While its output waits to be parsed, frames are as far apart as they are slow:
 * a picture of a flood that nobody can read must not hold up the flood. With nothing to parse, every frame is drawn.
 */
export class FramePace implements Disposable {
  readonly #cost: FrameCost;
  #outputWaits = false;
  #held: { readonly callback: FrameRequestCallback; readonly timer: ReturnType<typeof setTimeout> } | null =
    null;
  #frame = 0;

  constructor(cost: FrameCost = pageFrameCost) {
    this.#cost = cost;
  }

  set outputWaits(waits: boolean) {
    this.#outputWaits = waits;
    if (!waits) this.#release();
  }

  /** As `requestAnimationFrame`, for one callback at a time. Never 0, which xterm takes for "none asked for". */
  readonly requestAnimationFrame = (callback: FrameRequestCallback): number => {
    const wait = this.#cost.nextAt - performance.now();
    if (!this.#outputWaits || wait <= 0) this.#request(callback);
    else this.#held = { callback, timer: setTimeout(() => this.#release(), wait) };
    return 1;
  };

  readonly cancelAnimationFrame = (): void => {
    if (this.#held !== null) clearTimeout(this.#held.timer);
    this.#held = null;
    cancelAnimationFrame(this.#frame);
  };

  dispose(): void {
    this.cancelAnimationFrame();
  }

  #release(): void {
    const held = this.#held;
    if (held === null) return;
    clearTimeout(held.timer);
    this.#held = null;
    this.#request(held.callback);
  }

  #request(callback: FrameRequestCallback): void {
    this.#frame = requestAnimationFrame((time) => {
      const began = performance.now();
      afterThisFrame(() => this.#cost.frame(began, performance.now()));
      callback(time);
    });
  }
}

/** Runs in the first task after the frame that is being drawn: style, layout and paint are done by then. */
function afterThisFrame(task: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    task();
  };
  port2.postMessage(null);
}
