/**
 * A picture of a terminal over the terminal itself, as it was when the picture was made. xterm draws in several ways, some
 * of them at once; under a still nothing of what happens on the way to another moment is seen.
 */
export class Still {
  readonly #host: HTMLElement;
  #picture: Node | null = null;

  /** `host` holds the terminal, drawn by xterm's DOM renderer. */
  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** Makes the picture, where there is none. */
  show(): void {
    const terminal = this.#host.querySelector(':scope > .xterm');
    const screen = terminal?.querySelector('.xterm-screen');
    if (!(terminal instanceof HTMLElement) || !screen || this.#picture !== null) return;
    const picture = document.createElement('div');
    // The classes that xterm's own styles, colours included, are written for.
    picture.className = `${terminal.className} replay-still`;
    picture.setAttribute('aria-hidden', 'true');
    picture.append(screen.cloneNode(true));
    for (const style of picture.querySelectorAll('style')) style.remove();
    this.#picture = picture;
    this.#host.append(picture);
  }

  remove(): void {
    if (this.#picture === null) return;
    this.#picture.parentNode?.removeChild(this.#picture);
    this.#picture = null;
  }
}
