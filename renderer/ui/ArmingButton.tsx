import { useEffect, useState } from 'react';
import { ARMING_MS } from './arming.ts';
import { Button } from './Button.tsx';

/** A button that can be pressed once it has been on the screen for `ARMING_MS`: it may have come to lie under the pointer. */
export function ArmingButton({ isDisabled = false, ...props }: Parameters<typeof Button>[0]) {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), ARMING_MS);
    return () => clearTimeout(timer);
  }, []);
  // Made anew when it arms: react-aria takes a press on a disabled button for one that has begun, and the next for its end.
  return <Button key={String(armed)} {...props} isDisabled={!armed || isDisabled} />;
}
