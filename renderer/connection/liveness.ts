import { PAGE_LIVENESS } from '../../shared/terminal/limits.ts';

/** What liveness asks of the link it watches. */
export interface WatchedLink {
  ping(n: number): void;
  /** The other side did not answer in time. */
  dead(): void;
}

/** Two clocks in milliseconds: `steady` never jumps but may stop while the machine sleeps, `wall` does the reverse. */
export interface Clocks {
  steady(): number;
  wall(): number;
}

const pageClocks: Clocks = { steady: () => performance.now(), wall: () => Date.now() };

/**
 * Finds a link that is dead although nobody closed it (B27). Deadlines run on the steady clock; a jump of either clock
 * means that the page or the machine slept, and then the link is asked anew instead of judged by old times.
 */
export class Liveness {
  readonly #link: WatchedLink;
  readonly #clocks: Clocks;
  #lastHeard: number;
  #lastTick: { steady: number; wall: number };
  /** When the answer to the last question is due; null when none is open. */
  #deadline: number | null = null;
  #n = 0;

  constructor(link: WatchedLink, clocks: Clocks = pageClocks) {
    this.#link = link;
    this.#clocks = clocks;
    this.#lastHeard = clocks.steady();
    this.#lastTick = this.#read();
  }

  /** Anything from the host proves the link, up to now. */
  heard(): void {
    this.#lastHeard = this.#clocks.steady();
    this.#deadline = null;
  }

  /** Call every PAGE_LIVENESS.tick. */
  tick(): void {
    const now = this.#read();
    const gap = Math.max(now.steady - this.#lastTick.steady, Math.abs(now.wall - this.#lastTick.wall));
    this.#lastTick = now;
    if (gap >= PAGE_LIVENESS.wakeGap) this.checkNow();
    else if (this.#deadline !== null) this.#judge(this.#deadline, now.steady);
    else if (now.steady - this.#lastHeard >= PAGE_LIVENESS.idle) this.#ask(PAGE_LIVENESS.answer);
  }

  /** After a wake: asks at once and expects the answer soon. */
  checkNow(): void {
    this.#ask(PAGE_LIVENESS.wakeAnswer);
  }

  #ask(withinMs: number): void {
    this.#n += 1;
    this.#deadline = this.#clocks.steady() + withinMs;
    this.#link.ping(this.#n);
  }

  #judge(deadline: number, now: number): void {
    if (now < deadline) return;
    this.#deadline = null;
    this.#link.dead();
  }

  #read() {
    return { steady: this.#clocks.steady(), wall: this.#clocks.wall() };
  }
}
