import { type Disposable, toDisposable } from '../../shared/disposable.ts';

/** Calls `woke` whenever the page, its machine or its network may have slept (B27). */
export function watchWakes(woke: () => void): Disposable {
  const shown = () => {
    if (document.visibilityState === 'visible') woke();
  };
  const onPage = ['visibilitychange', 'resume'] as const;
  const onWindow = ['online', 'pageshow'] as const;
  for (const name of onPage) document.addEventListener(name, shown);
  for (const name of onWindow) window.addEventListener(name, woke);
  return toDisposable(() => {
    for (const name of onPage) document.removeEventListener(name, shown);
    for (const name of onWindow) window.removeEventListener(name, woke);
  });
}
