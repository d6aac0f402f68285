/** What can be known about whether a person sees this page. */
export type Sight = 'visible' | 'hidden' | 'too-small' | 'unknowable';

/** CSS pixels below which a request cannot be read. */
const SMALLEST = { width: 240, height: 260 } as const;
/** Milliseconds between two looks: the least that the browser permits for true visibility. */
const LOOK_MS = 100;
/** Share of an element that must be in view; a fraction of a pixel at an edge may not be. */
const WHOLE = 0.98;

export interface SightListener {
  onSight(sight: Sight): void;
  /** The end of the content is in view, in a page that is truly visible. */
  onEnd(): void;
}

/**
 * Follows whether the page is truly visible: wholly in view in every frame around it, nothing over it, not transparent,
 * not scaled (IntersectionObserver v2). Where a browser cannot tell, a page in a frame is `unknowable`; one with a window
 * of its own cannot be covered by another page, so there the first version will do.
 *
 * The end of the content is observed by the same observer, which looks at both at one moment: a frame that is made tall,
 * or moved until its end shows, has not shown its end together with the rest.
 */
export class SightWatcher {
  readonly #root: Element;
  readonly #listener: SightListener;
  readonly #observer: IntersectionObserver | null;
  readonly #truly = 'isVisible' in IntersectionObserverEntry.prototype;
  #rootSeen = false;
  #end: Element | null = null;
  #endSeen = false;

  constructor(root: Element, listener: SightListener) {
    this.#root = root;
    this.#listener = listener;
    this.#observer = this.#truly || window.top === window ? this.#observe() : null;
    document.addEventListener('visibilitychange', this.#tell);
    window.addEventListener('resize', this.#tell);
    this.#tell();
  }

  /** `end`: what stands behind the content; null when there is none. */
  watchEnd(end: Element | null): void {
    if (this.#end !== null) this.#observer?.unobserve(this.#end);
    this.#end = end;
    this.#endSeen = false;
    if (end !== null) this.#observer?.observe(end);
  }

  dispose(): void {
    this.#observer?.disconnect();
    document.removeEventListener('visibilitychange', this.#tell);
    window.removeEventListener('resize', this.#tell);
  }

  #observe(): IntersectionObserver {
    const tracking = this.#truly ? { trackVisibility: true, delay: LOOK_MS } : {};
    const observer = new IntersectionObserver((entries) => this.#onEntries(entries), {
      threshold: [0, 0.5, WHOLE, 1],
      ...tracking,
    });
    observer.observe(this.#root);
    return observer;
  }

  #onEntries(entries: readonly (IntersectionObserverEntry & { readonly isVisible?: boolean })[]): void {
    for (const entry of entries) {
      const seen = entry.intersectionRatio >= WHOLE && (!this.#truly || entry.isVisible === true);
      if (entry.target === this.#root) this.#rootSeen = seen;
      if (entry.target === this.#end) this.#endSeen = seen;
    }
    this.#tell();
  }

  readonly #tell = (): void => {
    const sight = this.#sight();
    this.#listener.onSight(sight);
    if (sight === 'visible' && this.#endSeen) this.#listener.onEnd();
  };

  #sight(): Sight {
    if (this.#observer === null) return 'unknowable';
    if (window.innerWidth < SMALLEST.width || window.innerHeight < SMALLEST.height) return 'too-small';
    return this.#rootSeen && document.visibilityState === 'visible' ? 'visible' : 'hidden';
  }
}
