import { existsSync, readFileSync } from 'node:fs';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import { apparmorProfilePath } from './apparmor.ts';
import { bwrapVersion, findBwrap } from './executable.ts';
import { seccompFilter } from './seccomp.ts';

/** Programs of the host, or of /usr inside the sandbox, that opening a session needs besides bwrap. */
const TOOLS = ['/bin/bash', '/usr/bin/setsid', '/usr/bin/prlimit', '/usr/bin/stty', '/usr/bin/true'];

/** Whether a sandbox could really be opened, and what then bounded it. */
export type Trial =
  | { readonly ok: true; readonly limits: SandboxPosture['limits'] }
  | { readonly ok: false; readonly message: string };

/** Everything that the engine's status is decided from; see `decideStatus`. */
export interface ProbeFacts {
  readonly platform: NodeJS.Platform;
  readonly processor: string;
  /** Whether the system-call numbers of this processor are known. */
  readonly processorSupported: boolean;
  readonly isRoot: boolean;
  readonly bwrap: string | null;
  readonly version: string | null;
  readonly missingTools: readonly string[];
  /** Values of the settings that can forbid user namespaces; null where the kernel has no such setting. */
  readonly sysctl: {
    readonly unprivilegedUsernsClone: string | null;
    readonly maxUserNamespaces: string | null;
    readonly apparmorRestrictsUserns: string | null;
  };
  /** Where the AppArmor profile that comes with Airlock lies. */
  readonly apparmorProfile: string;
  /** Null when it was not tried, because something that it needs is missing. */
  readonly trial: Trial | null;
}

/** Looks at the machine. `tryOpening` runs only where it has a chance; it bounds its own time. */
export async function gatherFacts(tryOpening: () => Promise<Trial>): Promise<ProbeFacts> {
  const onLinux = process.platform === 'linux';
  const bwrap = onLinux ? findBwrap() : null;
  const version = bwrap ? await bwrapVersion(bwrap) : null;
  const missingTools = onLinux ? TOOLS.filter((path) => !existsSync(path)) : [];
  const processorSupported = seccompFilter(process.arch) !== null;
  const hasAll = version !== null && missingTools.length === 0 && processorSupported;
  return {
    platform: process.platform,
    processor: process.arch,
    processorSupported,
    isRoot: process.getuid?.() === 0,
    bwrap,
    version,
    missingTools,
    sysctl: {
      unprivilegedUsernsClone: sysctl('kernel/unprivileged_userns_clone'),
      maxUserNamespaces: sysctl('user/max_user_namespaces'),
      apparmorRestrictsUserns: sysctl('kernel/apparmor_restrict_unprivileged_userns'),
    },
    apparmorProfile: apparmorProfilePath(),
    trial: hasAll ? await tryOpening() : null,
  };
}

function sysctl(name: string): string | null {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return null;
  }
}
