import type { SandboxLimits } from '../../../shared/settings/schema.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import type { SandboxSpec } from '../engine.ts';
import { type Folders, folderMounts } from '../host-folders.ts';
import { USER } from './guest/user.ts';
import type { Machine } from './monitor/monitor.ts';
import type { GuestFacts } from './protocol.ts';

const MIB = 1024 * 1024;

/** Whole processors of a machine: what the profile allows, one at least. */
export function processorsOf({ cpuPercent }: SandboxLimits, ofHost: number): number {
  return Math.max(1, Math.min(Math.floor(cpuPercent / 100), ofHost, PROCESSORS_MAX));
}

/** Of Firecracker. */
const PROCESSORS_MAX = 32;

/** What holds for a machine that waits to start its program: read back in the guest, or given to the monitor. */
export function machinePosture(facts: {
  readonly spec: SandboxSpec;
  readonly folders: Folders;
  readonly machine: Machine;
  readonly guest: GuestFacts;
}): SandboxPosture {
  const { spec, folders, machine, guest } = facts;
  const name = guest.user === USER.id ? `${USER.name} (${USER.id})` : `user ${guest.user}`;
  const withCapabilities = /[^0]/.test(guest.capabilities) ? ', with capabilities there' : '';
  return {
    engine: machine.name,
    engineVersion: `${machine.version}, Linux ${guest.kernel}`,
    network: guest.interfaces === 0 ? 'none' : 'unknown',
    mounts: folderMounts(folders),
    user: `${name} of a machine of its own${withCapabilities}`,
    limits: {
      memoryBytes: spec.profile.limits.memoryMiB * MIB,
      processes: guest.processes,
      openFiles: guest.openFiles,
      cpuPercent: guest.processors * 100,
      homeBytes: guest.homeBytes,
      tmpBytes: guest.tmpBytes,
      fileBytes: guest.fileBytes,
      enforcedBy: 'virtual machine',
    },
    recorded: false,
  };
}
