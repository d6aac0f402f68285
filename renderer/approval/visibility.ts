/** What can be known about whether a person sees this page. */
export type Sight = 'visible' | 'hidden' | 'too-small';

/** CSS pixels below which a request cannot be read. */
const SMALLEST = { width: 240, height: 260 } as const;
/** Share of an element that must be in view; a fraction of a pixel at an edge may not be. */
const WHOLE = 0.98;

export interface SightListener {
  onSight(sight: Sight): void;
  /** The end of the content is in view, in a page that is visible. */
  onEnd(): void;
}

/**
 * Follows whether the page and the end of its content are in view. That says something in a window or view of its own, which
 * no other page can cover. In a frame it would not: a page around it has ways to hide what it shows, masks and zoom among
 * them, that no browser tells the frame of. So nothing is armed there, whatever this says.
 */
export class SightWatcher {
  readonly #listener: SightListener;
  readonly #observer: IntersectionObserver;
  #end: Element | null = null;
  #endSeen = false;

  constructor(listener: SightListener) {
    this.#listener = listener;
    this.#observer = new IntersectionObserver((entries) => this.#onEntries(entries), {
      threshold: [0, WHOLE, 1],
    });
    document.addEventListener('visibilitychange', this.#tell);
    window.addEventListener('resize', this.#tell);
    this.#tell();
  }

  /** `end`: what stands behind the content; null when there is none. */
  watchEnd(end: Element | null): void {
    if (this.#end !== null) this.#observer.unobserve(this.#end);
    this.#end = end;
    this.#endSeen = false;
    if (end !== null) this.#observer.observe(end);
  }

  dispose(): void {
    this.#observer.disconnect();
    document.removeEventListener('visibilitychange', this.#tell);
    window.removeEventListener('resize', this.#tell);
  }

  #onEntries(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, intersectionRatio } of entries)
      if (target === this.#end) this.#endSeen = intersectionRatio >= WHOLE;
    this.#tell();
  }

  readonly #tell = (): void => {
    const sight = sightNow();
    this.#listener.onSight(sight);
    if (sight === 'visible' && this.#endSeen) this.#listener.onEnd();
  };
}

function sightNow(): Sight {
  if (window.innerWidth < SMALLEST.width || window.innerHeight < SMALLEST.height) return 'too-small';
  return document.visibilityState === 'visible' ? 'visible' : 'hidden';
}
