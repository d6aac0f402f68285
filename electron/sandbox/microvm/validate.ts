import { MICROVM_MEMORY_MIN_MIB } from '../../../shared/settings/engine-settings.ts';
import { fieldName } from '../../../shared/settings/field-names.ts';
import type { Profile } from '../../../shared/settings/schema.ts';
import { EngineError, type SandboxSpec } from '../engine.ts';
import { validateProfile } from '../validate.ts';

/** What a micro-VM cannot give is refused before anything starts, never left out in silence. */
export function validateMicrovm(spec: SandboxSpec): void {
  const { profile } = spec;
  validateProfile(profile);
  const problem = problemOf(profile, spec.project ?? profile.project);
  if (problem !== null) throw new EngineError('profile-invalid', problem);
}

/** What this engine cannot give of a profile, as a sentence; null when it can give all. */
function problemOf({ network, scratch, limits }: Profile, project: string | null): string | null {
  if (network !== 'none')
    return `${fieldName('network')} must be none: a micro-VM has no network device. Choose another engine for a shell with a network.`;
  if (scratch !== null)
    return `${fieldName('scratch')} must be empty: a micro-VM shares no folder with this machine. Choose another engine to write one.`;
  if (project !== null)
    return `${fieldName('project')} must be empty: a micro-VM shares no folder with this machine. Choose another engine to read one.`;
  if (limits.memoryMiB < MICROVM_MEMORY_MIN_MIB)
    return `${fieldName('limits.memoryMiB')} must be at least ${MICROVM_MEMORY_MIN_MIB} MiB for a micro-VM, whose own kernel is in there.`;
  return null;
}
