import type { Profile } from '../../../shared/settings/schema.ts';
import { EngineError, type SandboxSpec } from '../engine.ts';
import { validateProfile } from '../validate.ts';

/** MiB below which the guest's kernel and file system leave too little to work with. */
export const MEMORY_MIN_MIB = 128;

/** What a micro-VM cannot give is refused before anything starts, never left out in silence. */
export function validateMicrovm(spec: SandboxSpec): void {
  const { profile } = spec;
  validateProfile(profile);
  const problem = microvmProblem(profile, spec.project ?? profile.project);
  if (problem !== null) throw new EngineError('profile-invalid', problem);
}

/** What this engine cannot give of a profile, as a sentence; null when it can give all. */
export function microvmProblem({ network, scratch, limits }: Profile, project: string | null): string | null {
  if (network !== 'none')
    return 'network must be "none": a micro-VM has no network device. Choose another engine for a shell with a network.';
  if (scratch !== null)
    return 'scratch must be empty: a micro-VM shares no folder with this machine. Choose another engine to write one.';
  if (project !== null)
    return 'project must be empty: a micro-VM shares no folder with this machine. Choose another engine to read one.';
  if (limits.memoryMiB < MEMORY_MIN_MIB)
    return `limits.memoryMiB must be at least ${MEMORY_MIN_MIB} for a micro-VM, whose own kernel is in there.`;
  return null;
}
