/** What can be known about whether a person sees this page. */
export type Sight = 'visible' | 'hidden' | 'too-small' | 'unknowable';

/** CSS pixels below which a request cannot be read. */
const SMALLEST = { width: 240, height: 260 } as const;
/** Milliseconds between two looks: the least that the browser permits for true visibility. */
const LOOK_MS = 100;
/** Share of the card that must be in view; a fraction of a pixel at an edge may not be. */
const WHOLE = 0.98;

/**
 * Follows whether `element` is truly visible: wholly in view in every frame around it, nothing over it, not transparent,
 * not scaled (IntersectionObserver v2). Where a browser cannot tell, a page in a frame is `unknowable`; one with a window
 * of its own cannot be covered by another page, so there the first version will do. Returns how to stop.
 */
export function watchSight(element: Element, onSight: (sight: Sight) => void): () => void {
  const truly = 'isVisible' in IntersectionObserverEntry.prototype;
  if (!truly && window.top !== window) {
    onSight('unknowable');
    return () => {};
  }
  let inView = false;
  const tell = () => {
    const small = window.innerWidth < SMALLEST.width || window.innerHeight < SMALLEST.height;
    if (small) onSight('too-small');
    else onSight(inView && document.visibilityState === 'visible' ? 'visible' : 'hidden');
  };
  const options = {
    threshold: [0, 0.5, WHOLE, 1],
    ...(truly ? { trackVisibility: true, delay: LOOK_MS } : {}),
  };
  const observer = new IntersectionObserver((entries) => {
    const last = entries.at(-1) as (IntersectionObserverEntry & { readonly isVisible?: boolean }) | undefined;
    if (last === undefined) return;
    inView = last.intersectionRatio >= WHOLE && (!truly || last.isVisible === true);
    tell();
  }, options);
  observer.observe(element);
  document.addEventListener('visibilitychange', tell);
  window.addEventListener('resize', tell);
  return () => {
    observer.disconnect();
    document.removeEventListener('visibilitychange', tell);
    window.removeEventListener('resize', tell);
  };
}
