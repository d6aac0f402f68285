import { join } from 'node:path';
import { fieldName } from '../../../shared/settings/field-names.ts';
import type { EngineFix, EngineStatus } from '../../../shared/terminal/engine-status.ts';
import type { SmolvmFailure } from './failure.ts';
import { SMOLVM_VERSIONS } from './limits.ts';

/** Where a server listens that was started without an address (section 1). */
export function usualAddress(): string {
  if (process.platform === 'win32') return 'http://127.0.0.1:8080';
  const runtimeDir = process.platform === 'darwin' ? undefined : process.env['XDG_RUNTIME_DIR'];
  return `unix://${join(runtimeDir || '/tmp', 'smolvm.sock')}`;
}

/** Asked without a profile, when nothing listens at the usual place. */
export function nothingListens(address: string): EngineStatus {
  return unusable(`No smolvm server listens at its usual place, ${address}.`, [
    { text: 'Start one:', command: 'smolvm serve start' },
    { text: `Each profile names its server: ${fieldName('smolvm.address')}.`, command: null },
  ]);
}

export function ready(version: string, summary: string): EngineStatus {
  return { kind: 'smolvm', usable: true, version, summary, fixes: [], notes: [] };
}

export function unusableFor(failure: SmolvmFailure): EngineStatus {
  const [summary = '', ...steps] = failure.message.split('\n');
  return unusable(summary, steps.length > 0 ? steps.map((step) => fix(step)) : FIXES[failure.kind]);
}

function unusable(summary: string, fixes: readonly EngineFix[]): EngineStatus {
  return {
    kind: 'smolvm',
    usable: false,
    version: null,
    summary,
    fixes: [...fixes],
    notes: [],
  };
}

const fix = (text: string, command: string | null = null): EngineFix => ({ text, command });

const FIXES: Readonly<Record<SmolvmFailure['kind'], readonly EngineFix[]>> = {
  'not-configured': [fix('Put the profile’s smolvm section right.')],
  unreachable: [fix(`Start the server, or put ${fieldName('smolvm.address')} right:`, 'smolvm serve start')],
  authentication: [fix('Save the token of this profile, or name the certificate that the server expects.')],
  unsupported: [
    fix(`Use smolvm ${SMOLVM_VERSIONS.join(', ')} and a machine with an image that is not branchable.`),
  ],
  refused: [fix('Choose a machine that there is, or make it.')],
  'not-running': [fix(`Start the machine, or let the profile do it: ${fieldName('smolvm.startMachine')}.`)],
  blocked: [fix('End its session, or look at the machine and mark its session as resolved.')],
  uncertain: [fix('Look at the server, then try again.')],
};
