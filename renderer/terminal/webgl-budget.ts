import { WEBGL_CONTEXTS_MAX } from '../../shared/terminal/limits.ts';

/** Who draws with WebGL: at most WEBGL_CONTEXTS_MAX at one time; the others draw with the DOM. */
export class WebglBudget {
  readonly #holders = new Set<object>();

  /** Whether `holder` may have a context, which it must give back with `release`. */
  acquire(holder: object): boolean {
    if (this.#holders.has(holder)) return true;
    if (this.#holders.size >= WEBGL_CONTEXTS_MAX) return false;
    this.#holders.add(holder);
    return true;
  }

  release(holder: object): void {
    this.#holders.delete(holder);
  }
}

/** Contexts are counted by page, so there is one budget for all terminals in it. */
export const pageWebglBudget = new WebglBudget();
