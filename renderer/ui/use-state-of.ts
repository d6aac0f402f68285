import { useCallback, useState } from 'react';

/**
 * State of something that `owner` is, or names. With another owner it begins anew, and what is set late for the one before is dropped;
 * what is drawn from it stays in its place, so that it keeps the focus and a press that is under way.
 */
export function useStateOf<T>(owner: unknown, initial: T): [T, (value: T) => void] {
  const [held, setHeld] = useState({ owner, value: initial });
  // As React has it for state that follows a value: drawn again at once, before anything is on the screen.
  if (held.owner !== owner) setHeld({ owner, value: initial });
  const set = useCallback(
    (value: T) => setHeld((now) => (now.owner === owner ? { owner, value } : now)),
    [owner],
  );
  return [held.owner === owner ? held.value : initial, set];
}
