import { FitAddon } from '@xterm/addon-fit';
import type { Terminal } from '@xterm/xterm';
import type { Disposable } from '../../shared/disposable.ts';

export interface FittingListener {
  /** The pane has a place on the screen, or none any more. */
  visible(visible: boolean): void;
  /** The terminal may have been given another size. */
  fitted(): void;
}

/**
 * Keeps a terminal as large as its host element. A pane that is hidden or has no area keeps its size (B04). Fits are as far
 * apart as they are slow: with a long scrollback one can take a tenth of a second, and a dragged edge asks for many.
 */
export class Fitting implements Disposable {
  readonly #terminal: Terminal;
  readonly #host: HTMLElement;
  readonly #listener: FittingListener;
  readonly #fit = new FitAddon();
  readonly #observer: ResizeObserver;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #notBefore = 0;
  #visible = false;

  constructor(terminal: Terminal, host: HTMLElement, listener: FittingListener) {
    this.#terminal = terminal;
    this.#host = host;
    this.#listener = listener;
    terminal.loadAddon(this.#fit);
    this.#observer = new ResizeObserver(() => this.#changed());
    this.#observer.observe(host);
  }

  /** Fits now: after the font, its size or the scale of the page changed. */
  fitNow(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (!this.#hasArea() || this.#terminal.element === undefined) return;
    const began = performance.now();
    this.#fit.fit();
    this.#notBefore = performance.now() + 2 * (performance.now() - began);
    this.#listener.fitted();
  }

  dispose(): void {
    this.#observer.disconnect();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #changed(): void {
    const visible = this.#hasArea();
    if (visible !== this.#visible) {
      this.#visible = visible;
      this.#listener.visible(visible);
    }
    if (!visible || this.#timer !== null) return;
    const wait = this.#notBefore - performance.now();
    if (wait <= 1) this.fitNow();
    else this.#timer = setTimeout(() => this.fitNow(), wait);
  }

  #hasArea(): boolean {
    return this.#host.clientWidth > 0 && this.#host.clientHeight > 0;
  }
}
