import { Pause } from 'lucide-react';
import { Strip } from './Strip.tsx';

/** ST-13: the client is suspended here; nothing of it reaches the sandbox. */
export function SuspendedStrip() {
  return (
    <Strip kind="tell" name="suspended" icon={<Pause size={16} />} title="Suspended">
      <p className="strip-text">
        Nothing you type reaches the program. Press any key or click here to resume.
      </p>
    </Strip>
  );
}
