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

/** Of a terminal's output: some waits to be parsed, all is parsed and more is `expected` at once, or there is none. */
export type OutputBacklog = 'waiting' | 'expected' | 'none';

/**
 * The animation frames of one terminal. While its output waits to be parsed, frames are as far apart as they are slow:
 * pictures of a flood that nobody can read must not hold up the flood. With nothing to parse, every frame is drawn.
 */
export class FramePace implements Disposable {
  readonly #cost: FrameCost;
  #backlog: OutputBacklog = 'none';
  #held: FrameRequestCallback | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #frame = 0;

  constructor(cost: FrameCost = pageFrameCost) {
    this.#cost = cost;
  }

  set backlog(backlog: OutputBacklog) {
    if (backlog === this.#backlog) return;
    this.#backlog = backlog;
    this.#schedule();
  }

  /** As `requestAnimationFrame`, for one callback at a time. Never 0, which xterm takes for "none asked for". */
  readonly requestAnimationFrame = (callback: FrameRequestCallback): number => {
    this.#held = callback;
    this.#schedule();
    return 1;
  };

  readonly cancelAnimationFrame = (): void => {
    this.#held = null;
    this.#stopTimer();
    cancelAnimationFrame(this.#frame);
  };

  dispose(): void {
    this.cancelAnimationFrame();
  }

  #schedule(): void {
    this.#stopTimer();
    if (this.#held === null) return;
    const wait = this.#waitMs();
    if (wait <= 0) this.#release();
    else this.#timer = setTimeout(() => this.#release(), wait);
  }

  #waitMs(): number {
    if (this.#backlog === 'none') return 0;
    const wait = this.#cost.nextAt - performance.now();
    return this.#backlog === 'waiting' ? wait : Math.min(wait, FRAME_PACE.expectMs);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #release(): void {
    const callback = this.#held;
    this.#held = null;
    if (callback === null) return;
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
