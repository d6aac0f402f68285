import { join } from 'node:path';
import type { EngineFix, EngineStatus } from '../../../shared/terminal/engine-status.ts';
import type { SmolvmFailure } from './failure.ts';
import { SMOLVM_VERSIONS } from './limits.ts';

/** Where a server listens that was started without an address (section 1). */
export function usualSocket(): string {
  return join(process.env['XDG_RUNTIME_DIR'] || '/tmp', 'smolvm.sock');
}

const NAMES_ADDRESS: EngineFix = {
  text: 'Name smolvm.address, such as unix:///run/user/1000/smolvm.sock, and smolvm.machine in the profile.',
  command: null,
};

export const NOT_CONFIGURED = unusable('smolvm is not configured in this profile: name its address.', [
  NAMES_ADDRESS,
]);

/** Asked without a profile, when nothing listens at the usual place. */
export function nothingListens(socket: string): EngineStatus {
  return unusable(`No smolvm server listens at its usual place, ${socket}.`, [
    { text: 'Start one:', command: 'smolvm serve start' },
    { text: 'Or name the address of another one in a profile.', command: null },
  ]);
}

export function ready(version: string, summary: string): EngineStatus {
  return { kind: 'smolvm', name: 'smolvm', usable: true, version, summary, fixes: [], notes: [] };
}

export function unusableFor(failure: SmolvmFailure): EngineStatus {
  return unusable(failure.message, FIXES[failure.kind]);
}

function unusable(summary: string, fixes: readonly EngineFix[]): EngineStatus {
  return {
    kind: 'smolvm',
    name: 'smolvm',
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
  unreachable: [fix('Start the server, or put smolvm.address right:', 'smolvm serve start')],
  authentication: [fix('Save the token of this profile, or name the certificate that the server expects.')],
  unsupported: [
    fix(`Use smolvm ${SMOLVM_VERSIONS.join(', ')} and a machine with an image that is not branchable.`),
  ],
  refused: [fix('Choose a machine that there is, or make it.')],
  'not-running': [fix('Start the machine, or allow the profile to (smolvm.startMachine).')],
  blocked: [fix('End its session, or look at the machine and mark its session as resolved.')],
  uncertain: [fix('Look at the server, then try again.')],
};
