import { OUT_FOLDER } from '../../../shared/terminal/inside.ts';
import type { OutFolder } from '../engine.ts';
import { checkIdentity, type ProcessIdentity } from '../process-identity.ts';

/** The /out of the sandbox whose pid 1 this is. */
export function outFolderOf(init: ProcessIdentity): OutFolder {
  return {
    path: `/proc/${init.pid}/root${OUT_FOLDER}`,
    isStillThere: () => checkIdentity(init) === 'running',
  };
}
