import { WebglAddon } from '@xterm/addon-webgl';
import type { Terminal } from '@xterm/xterm';
import type { Disposable } from '../../shared/disposable.ts';
import type { Settings } from '../../shared/settings/schema.ts';
import { pageWebglBudget, type WebglBudget } from './webgl-budget.ts';

/**
 * Draws a terminal with WebGL while its pane is visible and the settings want it, else with xterm's DOM renderer. A
 * terminal whose graphics context was lost stays with the DOM: what took it once would take it again.
 */
export class Drawing implements Disposable {
  readonly #terminal: Terminal;
  readonly #budget: WebglBudget;
  #webgl: WebglAddon | null = null;
  #visible = false;
  #wanted = true;
  #lost = false;

  constructor(terminal: Terminal, budget: WebglBudget = pageWebglBudget) {
    this.#terminal = terminal;
    this.#budget = budget;
  }

  get kind(): 'webgl' | 'dom' {
    return this.#webgl === null ? 'dom' : 'webgl';
  }

  setRenderer(renderer: Settings['terminal']['renderer']): void {
    this.#wanted = renderer !== 'dom';
    this.#update();
  }

  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#update();
  }

  dispose(): void {
    this.#stop();
    this.#lost = true;
  }

  #update(): void {
    const webgl = this.#visible && this.#wanted && !this.#lost;
    if (webgl && this.#webgl === null) this.#start();
    if (!webgl && this.#webgl !== null) this.#stop();
  }

  #start(): void {
    if (!this.#budget.acquire(this)) return;
    const webgl = new WebglAddon();
    try {
      this.#terminal.loadAddon(webgl);
    } catch {
      // No WebGL 2 in this browser or on this machine.
      this.#budget.release(this);
      this.#lost = true;
      webgl.dispose();
      return;
    }
    webgl.onContextLoss(() => {
      this.#lost = true;
      this.#update();
    });
    this.#webgl = webgl;
  }

  #stop(): void {
    const canvases = [...(this.#terminal.element?.querySelectorAll('canvas') ?? [])];
    this.#webgl?.dispose();
    this.#webgl = null;
    this.#budget.release(this);
    // The add-on leaves its context to the garbage collector; until then it would count against the browser's limit.
    for (const canvas of canvases)
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
  }
}
