import { fieldName } from '../../../shared/settings/field-names.ts';
import type { MachineInfo, SmolvmApi } from './api.ts';
import { SmolvmFailure } from './failure.ts';

export interface Preflight {
  readonly version: string;
  readonly machine: MachineInfo;
}

/**
 * Rule 1: an exact version, and a machine that is the one asked for and of the kind that is known. `mayStart`: it need not run,
 * but is in a state that a start leads out of. Rejects with SmolvmFailure; nothing was started or changed.
 */
export async function preflight(
  api: SmolvmApi,
  name: string,
  mayStart: boolean,
  signal: AbortSignal,
): Promise<Preflight> {
  const version = await api.version(signal);
  const machine = await api.machine(name, signal);
  const unsupported = whyUnsupported(machine);
  if (unsupported !== null) throw new SmolvmFailure('unsupported', unsupported);
  const { state } = machine;
  if (state === 'running' || (mayStart && isStartable(state))) return { version, machine };
  if (!isStartable(state)) {
    throw new SmolvmFailure(
      'unsupported',
      `The machine "${name}" is in the state "${state}", in which nothing can be opened.`,
    );
  }
  throw new SmolvmFailure(
    'not-running',
    `The machine "${name}" is ${state === 'stopped' ? 'stopped' : 'made, and does not run'}: start it, or let the profile do it: ${fieldName('smolvm.startMachine')}.`,
  );
}

/** Why no session can be opened in a machine whatever its state, as a sentence; null when one can. */
export function whyUnsupported({ name, image, branchable }: MachineInfo): string | null {
  if (image === undefined || image === null || image === '') {
    return `The machine "${name}" has no image: make one with an image.`;
  }
  if (branchable === false) return null;
  return `The machine "${name}" is branchable, or does not say that it is not: make one that is not.`;
}

export function isStartable(state: string): boolean {
  return state === 'created' || state === 'stopped';
}
