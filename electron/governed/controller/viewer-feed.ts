import type { Disposable } from '../../../shared/disposable.ts';
import { OutputCredit } from '../../session/output-credit.ts';

/** Where a person watches a worker. None may throw. */
export interface Viewer {
  /** Everything, as it comes and before it waits for the page; valid during the call only. */
  arrived?(bytes: Uint8Array): void;
  /** Raw output in order; the bytes are the viewer's to keep. */
  output(bytes: Uint8Array): void;
  /** After the last output byte. */
  ended(): void;
}

/**
 * The watched copy of a worker's output. It is sent at the pace of the page (DESIGN 3) and waits here meanwhile, so a slow
 * page never holds the controller up, and nothing is left out: what can wait is bounded by what a session may write in its
 * whole life (E31).
 */
export class ViewerFeed implements Disposable {
  readonly #viewer: Viewer;
  readonly #credit = new OutputCredit();
  #waiting: Uint8Array[] = [];
  #state: 'open' | 'closing' | 'closed' = 'open';
  #held = false;

  constructor(viewer: Viewer) {
    this.#viewer = viewer;
  }

  /** The bytes must not change afterwards. */
  push(bytes: Uint8Array): void {
    if (this.#state !== 'open') return;
    this.#viewer.arrived?.(bytes);
    this.#waiting.push(bytes);
    this.#send();
  }

  /** No more output follows. */
  end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    this.#send();
  }

  /** While it is held nothing is sent; what has arrived waits (ST-20). Afterwards it follows in order. */
  setHeld(held: boolean): void {
    this.#held = held;
    this.#send();
  }

  /** The page has parsed `total` bytes and wants `ahead` more than that. Any numbers are safe. */
  parsed(total: number, ahead?: number): void {
    this.#credit.parsed(total, ahead);
    this.#send();
  }

  /** Nobody watches any more. */
  dispose(): void {
    this.#state = 'closed';
    this.#waiting = [];
  }

  #send(): void {
    if (this.#held) return;
    let sent = 0;
    for (const bytes of this.#waiting) {
      if (this.#credit.exhausted) break;
      this.#credit.sent(bytes.length);
      this.#viewer.output(bytes);
      sent += 1;
    }
    this.#waiting.splice(0, sent);
    if (this.#state !== 'closing' || this.#waiting.length > 0) return;
    this.#state = 'closed';
    this.#viewer.ended();
  }
}
