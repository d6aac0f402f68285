import { useEffect, useState } from 'react';
import { timeLeft } from './time-left.ts';

/** Milliseconds before the end from which on the time is drawn as urgent. */
const URGENT_MS = 15_000;

/** The deadline, counting down. The host expires the request; this only shows it. */
export function TimeLeft({ endsAt }: { readonly endsAt: number }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const left = endsAt - now;
  return (
    <span className="time-left" role="timer" data-urgent={left < URGENT_MS}>
      {timeLeft(left)} left
    </span>
  );
}
