import { readFileSync } from 'node:fs';
import { USER } from '../../../shared/terminal/inside.ts';
import { OUT_FOLDER_BYTES } from '../../../shared/terminal/limits.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import type { SandboxSpec } from '../engine.ts';
import { type Folders, folderMounts } from '../host-folders.ts';
import { BWRAP_PROCESSES, BWRAP_PROCESSES_INSIDE } from './limits/create-groups.ts';
import { readEnforcedLimits } from './limits/enforced-limits.ts';
import { PRLIMIT_ONLY } from './limits/limiter.ts';

const MIB = 1024 * 1024;

/**
 * What holds for a sandbox that was set up, read back from the kernel. Where the kernel enforces
 * nothing, the posture says null, whatever the profile asked for.
 */
export function readPosture(facts: {
  readonly spec: SandboxSpec;
  readonly folders: Folders;
  readonly version: string;
  /** A process of the sandbox. */
  readonly pid: number;
  readonly limiter: string;
}): SandboxPosture {
  const { pid } = facts;
  const { profile } = facts.spec;
  const groups = readEnforcedLimits(pid);
  const own = readResourceLimits(pid);
  const isRoot = process.getuid?.() === 0;
  const tasks = groups.tasks === null ? null : groups.tasks - BWRAP_PROCESSES;
  const perUser = own.processes === null ? null : own.processes - BWRAP_PROCESSES_INSIDE;
  return {
    engine: 'bubblewrap',
    engineVersion: facts.version,
    network: profile.network,
    mounts: folderMounts(facts.folders),
    user: isRoot
      ? `${USER.name} (${USER.id}), root of this machine without capabilities`
      : `${USER.name} (${USER.id})`,
    limits: {
      memoryBytes: groups.memoryBytes,
      // The kernel does not count root's processes against their own resource limit.
      processes: tasks ?? (isRoot ? null : perUser),
      openFiles: own.openFiles,
      cpuPercent: groups.cpuPercent,
      homeBytes: profile.limits.homeMiB * MIB,
      tmpBytes: profile.limits.tmpMiB * MIB,
      ...(facts.spec.worker ? {} : { outBytes: OUT_FOLDER_BYTES }),
      fileBytes: own.fileBytes,
      enforcedBy: groups.version === null ? PRLIMIT_ONLY : facts.limiter,
    },
    recorded: false,
  };
}

function readResourceLimits(pid: number) {
  let text = '';
  try {
    text = readFileSync(`/proc/${pid}/limits`, 'utf8');
  } catch {
    // Gone already; then nothing is known.
  }
  const soft = (name: string) => {
    const value = Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(text)?.[1]);
    return Number.isSafeInteger(value) && value > 0 ? value : null;
  };
  return {
    processes: soft('Max processes'),
    openFiles: soft('Max open files'),
    fileBytes: soft('Max file size'),
  };
}
