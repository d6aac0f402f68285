import { useEffect, useRef } from 'react';

/**
 * Whether the component is still there, to be asked after every wait: what a person cancelled while an answer was on its
 * way is not done when it comes.
 */
export function useIsMounted(): () => boolean {
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return () => mounted.current;
}
