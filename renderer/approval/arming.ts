/** What stands between a request and its Approve. */
export type Arming =
  | { readonly kind: 'hidden' }
  | { readonly kind: 'unread' }
  | { readonly kind: 'arming' }
  | { readonly kind: 'armed' }
  /** Not in a frame, whose page could cover it; in a window of its own. */
  | { readonly kind: 'elsewhere' }
  /** Not from here, whatever is done. */
  | { readonly kind: 'never'; readonly why: string };

export interface ArmingOptions {
  /** Tells the host; resolves to its milliseconds, to null when it does not know this showing. */
  readonly tell: (ready: boolean) => Promise<number | null>;
  readonly onChange: (arming: Arming) => void;
}

/**
 * Approve arms when the page is visible and the content of its card was scrolled to the end, and has been for as long as
 * the host wants, counted from the host's own answer. Whatever interrupts that starts it again; what was read stays read.
 */
export class ArmingControl {
  readonly #options: ArmingOptions;
  #visible = false;
  #read = false;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #arming: Arming = { kind: 'hidden' };

  constructor(options: ArmingOptions) {
    this.#options = options;
  }

  get arming(): Arming {
    return this.#arming;
  }

  setVisible(visible: boolean): void {
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.#update();
  }

  setRead(): void {
    if (this.#read) return;
    this.#read = true;
    this.#update();
  }

  dispose(): void {
    this.#attempt += 1;
    clearTimeout(this.#timer);
  }

  #update(): void {
    const wasReady = this.#arming.kind === 'arming' || this.#arming.kind === 'armed';
    this.dispose();
    if (this.#visible && this.#read) {
      this.#become({ kind: 'arming' });
      void this.#arm(this.#attempt);
      return;
    }
    if (wasReady) void this.#options.tell(false);
    this.#become({ kind: this.#visible ? 'unread' : 'hidden' });
  }

  async #arm(attempt: number): Promise<void> {
    const armMs = await this.#options.tell(true);
    if (attempt !== this.#attempt) return;
    if (armMs === null) {
      this.#become({ kind: 'never', why: 'The host no longer knows this showing. Load this page again.' });
      return;
    }
    this.#timer = setTimeout(() => this.#become({ kind: 'armed' }), armMs);
  }

  #become(arming: Arming): void {
    this.#arming = arming;
    this.#options.onChange(arming);
  }
}
