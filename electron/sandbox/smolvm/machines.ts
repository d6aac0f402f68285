import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Profile } from '../../../shared/settings/schema.ts';
import {
  type NewSmolvmMachine,
  newSmolvmMachineSchema,
  type SmolvmMachine,
  smolvmMachineNameSchema,
  type UnresolvedSession,
} from '../../../shared/terminal/smolvm-machine.ts';
import { type MachineInfo, SmolvmApi } from './api.ts';
import { endpointOf, type TokenSource } from './endpoint.ts';
import { SmolvmFailure } from './failure.ts';
import type { SmolvmTiming } from './limits.ts';
import type { MachinePlace, MachineRecords } from './machine-records.ts';
import { whyUnsupported } from './preflight.ts';
import { settingsOf } from './validate.ts';

/** As `HostTokens` keeps them. Failures are words for a person. */
export interface TokenKeeper extends TokenSource {
  save(profileId: string, address: string, token: string): Result<null, string>;
  remove(profileId: string): Result<null, string>;
}

interface SmolvmMachinesOptions {
  readonly tokens: TokenKeeper;
  readonly records: MachineRecords;
  readonly timing: SmolvmTiming;
}

type Answer<T> = Promise<Result<T, SmolvmFailure>>;

/**
 * The machines of the server that a profile names, for a page: what is there, and what may be done to it. Never rejects.
 * Creating, starting, stopping and deleting change what a person has there, and are to be confirmed before they come here.
 */
export class SmolvmMachines {
  readonly #options: SmolvmMachinesOptions;

  constructor(options: SmolvmMachinesOptions) {
    this.#options = options;
  }

  list(profile: Profile, signal: AbortSignal): Answer<SmolvmMachine[]> {
    return attempt(async () => {
      const api = await this.#checkedApi(profile, signal);
      const { server } = api.endpoint;
      return (await api.machines(signal)).map((machine) => this.#shown(server, machine));
    });
  }

  create(profile: Profile, machine: NewSmolvmMachine, signal: AbortSignal): Answer<void> {
    return attempt(async () => {
      const checked = newSmolvmMachineSchema.parse(machine);
      await (await this.#checkedApi(profile, signal)).create(checked, signal);
    });
  }

  start(profile: Profile, name: string, signal: AbortSignal): Answer<void> {
    return attempt(async () => {
      const machine = nameOf(name);
      await (await this.#checkedApi(profile, signal)).start(machine, signal);
    });
  }

  /** `blocked` while a session of it is open, or unresolved. */
  stop(profile: Profile, name: string, signal: AbortSignal): Answer<void> {
    return this.#exclusively(profile, name, signal, (api, machine) => api.stop(machine, signal));
  }

  /** With its disks. `blocked` while a session of it is open, or unresolved. */
  delete(profile: Profile, name: string, signal: AbortSignal): Answer<void> {
    return this.#exclusively(profile, name, signal, (api, machine) => api.delete(machine, signal));
  }

  /** Of every server, the oldest first; without those whose record cannot be read, which only `list` tells. */
  unresolved(): Answer<UnresolvedSession[]> {
    return attempt(async () => this.#options.records.unresolved());
  }

  /** A person has looked at the machine: it takes sessions again. `refused` when there is nothing to resolve. */
  resolve({ address, machine }: MachinePlace): Answer<void> {
    return attempt(async () => {
      if (this.#options.records.resolve({ address, machine })) return;
      throw new SmolvmFailure('refused', `The machine "${machine}" has no session to resolve.`);
    });
  }

  saveToken(profile: Profile, token: string): Result<null, string> {
    return this.#options.tokens.save(profile.id, settingsOf(profile).address, token);
  }

  forgetToken(profile: Profile): Result<null, string> {
    return this.#options.tokens.remove(profile.id);
  }

  /** No page learns more of a token than this. */
  hasToken(profile: Profile): boolean {
    const token = this.#options.tokens.read(profile.id, settingsOf(profile).address);
    return token.ok && token.value !== null;
  }

  /** Nobody opens a session meanwhile, in this host or another one on the same data folder. */
  #exclusively(
    profile: Profile,
    name: string,
    signal: AbortSignal,
    change: (api: SmolvmApi, machine: string) => Promise<void>,
  ): Answer<void> {
    return attempt(async () => {
      const machine = nameOf(name);
      const { records } = this.#options;
      const api = await this.#checkedApi(profile, signal);
      const place = { address: api.endpoint.server, machine };
      const execution = await records.claim(place);
      try {
        await change(api, machine);
      } finally {
        records.release(place, execution);
      }
    });
  }

  async #checkedApi(profile: Profile, signal: AbortSignal): Promise<SmolvmApi> {
    const { tokens, timing } = this.#options;
    const api = new SmolvmApi(endpointOf(settingsOf(profile), profile.id, tokens), timing);
    await api.version(signal);
    return api;
  }

  #shown(server: string, machine: MachineInfo): SmolvmMachine {
    const { name, state, image, cpus, memoryMb, network, mounts } = machine;
    const session = this.#options.records.sessionOf({ address: server, machine: name });
    return {
      name,
      state: state === 'created' || state === 'running' || state === 'stopped' ? state : 'other',
      image: image ?? null,
      cpus: cpus ?? null,
      memoryMiB: memoryMb ?? null,
      network: network ?? null,
      mounts: (mounts ?? []).map(({ source, target, readonly }) => ({ source, target, readOnly: readonly })),
      unsupported: whyNotHere(machine),
      session: session === 'open' ? 'here' : session === 'none' ? 'none' : 'unresolved',
      unresolved: typeof session === 'string' ? null : session,
    };
  }
}

function whyNotHere(machine: MachineInfo): string | null {
  if (smolvmMachineNameSchema.safeParse(machine.name).success) return whyUnsupported(machine);
  return `The name "${machine.name}" is not of 1 to 31 of a-z, 0-9, _ and -.`;
}

function nameOf(name: string): string {
  if (smolvmMachineNameSchema.safeParse(name).success) return name;
  throw new SmolvmFailure('refused', 'The name of a machine must be 1 to 31 of a-z, 0-9, _ and -.');
}

async function attempt<T>(work: () => Promise<T>): Answer<T> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof SmolvmFailure) return fail(error);
    return fail(new SmolvmFailure('unreachable', error instanceof Error ? error.message : String(error)));
  }
}
