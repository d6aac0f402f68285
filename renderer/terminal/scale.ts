import { type Disposable, toDisposable } from '../../shared/disposable.ts';

/** Calls `changed` after the pixels of the page changed their size: another zoom, or a screen of another density (B34). */
export function watchScale(changed: () => void): Disposable {
  let media = currentScale();
  const onChange = () => {
    media.removeEventListener('change', onChange);
    media = currentScale();
    media.addEventListener('change', onChange);
    // xterm measures its cells anew on the same event.
    requestAnimationFrame(changed);
  };
  media.addEventListener('change', onChange);
  return toDisposable(() => media.removeEventListener('change', onChange));
}

function currentScale(): MediaQueryList {
  return window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
}
