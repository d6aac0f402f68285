import { type SmolvmSettings, smolvmSettingsSchema } from '../../../shared/settings/engine-settings.ts';
import { fieldName } from '../../../shared/settings/field-names.ts';
import type { Profile } from '../../../shared/settings/schema.ts';
import { smolvmMachineNameSchema } from '../../../shared/terminal/smolvm-machine.ts';
import { EngineError, type SandboxSpec } from '../engine.ts';
import { SMOLVM_BYTES } from './limits.ts';
import type { Preflight } from './preflight.ts';
import { usualAddress } from './status.ts';

export function settingsOf(profile: Profile): SmolvmSettings {
  return smolvmSettingsSchema.parse(profile.smolvm ?? {});
}

/**
 * The program of a profile that this engine can keep every promise of. A machine is made elsewhere, with its own folders,
 * variables and limits: a profile that asks for others is refused, not opened without them. Throws EngineError
 * `profile-invalid`, naming the field.
 */
export function programOf({ profile, project, worker }: SandboxSpec): string {
  const settings = settingsOf(profile);
  requireNamed(settings);
  if (worker !== undefined)
    throw invalid('smolvm runs no governed sessions: choose a profile of another engine.');
  if (project !== null || profile.project !== null || profile.scratch !== null) {
    throw invalid(
      `${fieldName('project')} and ${fieldName('scratch')} must be none: smolvm gives a machine no folder when a terminal is opened.`,
    );
  }
  if (Object.keys(profile.environment).length > 0) {
    throw invalid(`${fieldName('environment')} must be empty: smolvm takes no variables for a terminal.`);
  }
  const { machine } = settings;
  if (!smolvmMachineNameSchema.safeParse(machine).success) {
    throw invalid(`${fieldName('smolvm.machine')} must name a machine: 1 to 31 of a-z, 0-9, _ and -.`);
  }
  const [program, ...args] = profile.command;
  if (program === undefined || args.length > 0) {
    throw invalid(`${fieldName('command')} must be without arguments: smolvm passes none to a terminal.`);
  }
  const bytes = Buffer.byteLength(program);
  if (bytes < 1 || bytes > SMOLVM_BYTES.program || program.includes('\0')) {
    throw invalid(
      `${fieldName('command')} must have 1 to ${SMOLVM_BYTES.program} bytes and no NUL, has ${bytes}.`,
    );
  }
  return program;
}

/** Which machine of which server; whatever is missing is said at once. */
function requireNamed({ address, machine }: SmolvmSettings): void {
  const missing = [
    ...(address === '' ? [fieldName('smolvm.address')] : []),
    ...(machine === '' ? [fieldName('smolvm.machine')] : []),
  ];
  if (missing.length === 0) return;
  const usual = `A server that was started without an address listens at ${usualAddress()}.`;
  const choose = 'Once the address is named, “Choose…” lists its machines.';
  throw invalid(
    [
      `The profile must name what it opens: ${missing.join(' and ')}.`,
      ...(address === '' ? [usual, choose] : ['“Choose…” lists the machines of its server.']),
    ].join('\n'),
  );
}

/** A profile without a network is a promise, whatever the machine was made with. */
export function requirePromisedNetwork(profile: Profile, { machine }: Preflight): void {
  if (profile.network === 'host' || machine.network === false) return;
  const has = machine.network === true ? 'has one' : 'may have one: smolvm does not say';
  throw invalid(
    `${fieldName('network')} is none, and the machine "${machine.name}" ${has}. Use a machine without, or allow the network in the profile.`,
  );
}

function invalid(message: string): EngineError {
  return new EngineError('profile-invalid', message);
}
