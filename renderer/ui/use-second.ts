import { useEffect, useState } from 'react';

/** The page's own clock (`performance.now()`), renewed every second while `active`: for what counts down. */
export function useSecond(active: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!active) return;
    const tick = () => setNow(performance.now());
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}
