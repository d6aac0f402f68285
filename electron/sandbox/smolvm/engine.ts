import { join } from 'node:path';
import { ok } from '../../../shared/result.ts';
import { smolvmSettingsSchema } from '../../../shared/settings/engine-settings.ts';
import type { Profile } from '../../../shared/settings/schema.ts';
import type { EngineStatus } from '../../../shared/terminal/engine-status.ts';
import { PROBE_DEADLINE_MS } from '../../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import {
  EngineError,
  type RecoveryReport,
  type SandboxEngine,
  type SandboxIdentity,
  type SandboxSpec,
  type SandboxTerminal,
} from '../engine.ts';
import { SmolvmApi } from './api.ts';
import { type Ending, whyUncertain } from './ending.ts';
import { endpointOf, type TokenSource } from './endpoint.ts';
import { SmolvmFailure } from './failure.ts';
import { SMOLVM_TIMING, type SmolvmTiming } from './limits.ts';
import { type MachinePlace, MachineRecords } from './machine-records.ts';
import { SmolvmMachines, type TokenKeeper } from './machines.ts';
import { postureOf } from './posture.ts';
import { isStartable, type Preflight, preflight } from './preflight.ts';
import { handshake, openSocket, wordsOfAbort } from './socket.ts';
import { nothingListens, ready, unusableFor, usualAddress } from './status.ts';
import { SmolvmTerminal } from './terminal.ts';
import { programOf, requirePromisedNetwork, settingsOf } from './validate.ts';

export interface SmolvmOptions {
  /** Airlock's own: which machines are blocked is kept in it. */
  readonly dataDir: string;
  readonly tokens: TokenKeeper;
  readonly timing?: Partial<SmolvmTiming>;
}

/** Milliseconds that an opening may take besides its network calls. */
const OPENING_MARGIN_MS = 1_000;

/**
 * Terminals in machines of a smolvm server, over its WebSocket API. The machines outlive their sessions, and so may what runs
 * in them: whatever is not confirmed as ended is unknown, and blocks the machine until a person has looked at it (rule 10).
 */
export class SmolvmEngine implements SandboxEngine {
  readonly kind = 'smolvm';
  readonly runsWorkers = false;
  readonly leftByOpening =
    'It was still being opened. Look at its machine, and mark its session as resolved where it has one.';
  readonly machines: SmolvmMachines;
  readonly #tokens: TokenKeeper;
  readonly #records: MachineRecords;
  readonly #timing: SmolvmTiming;

  constructor({ dataDir, tokens, timing }: SmolvmOptions) {
    this.#tokens = tokens;
    this.#timing = { ...SMOLVM_TIMING, ...timing };
    this.#records = new MachineRecords(join(dataDir, 'smolvm-machines'));
    this.machines = new SmolvmMachines({ tokens, records: this.#records, timing: this.#timing });
  }

  async probe(profile?: Profile): Promise<EngineStatus> {
    const signal = AbortSignal.timeout(PROBE_DEADLINE_MS - OPENING_MARGIN_MS);
    try {
      if (profile === undefined) return await this.#probeUsualPlace(signal);
      return await this.#probeProfile(profile, signal);
    } catch (error) {
      return unusableFor(asFailure(error));
    }
  }

  openDeadlineMs(profile: Profile): number {
    const { handshakeMs, changeMs, readMs } = this.#timing;
    const startMs = settingsOf(profile).startMachine ? changeMs + 2 * readMs : 0;
    return handshakeMs + startMs + OPENING_MARGIN_MS;
  }

  async open(spec: SandboxSpec, size: TerminalSize, signal: AbortSignal): Promise<SandboxTerminal> {
    try {
      return await this.#open(spec, size, signal);
    } catch (error) {
      throw asEngineError(error);
    }
  }

  /** The connection died with the host that had it; what became of its program nobody can say. */
  async recover(identity: SandboxIdentity): Promise<RecoveryReport> {
    if (identity.kind !== 'machine') return { kind: 'mismatch', reason: 'It was not opened in a machine.' };
    const left = await this.#records.afterHostLoss(identity.execution);
    if (left === null) return { kind: 'absent' };
    return {
      kind: 'mismatch',
      reason: `How the session of the machine "${left.machine}" ended is not known. ${left.reason} Look at the machine, then mark its session as resolved.`,
    };
  }

  async #open(spec: SandboxSpec, size: TerminalSize, signal: AbortSignal): Promise<SandboxTerminal> {
    const { program, settings, api, place } = this.#prepare(spec);
    const { machine, maxBufferBytes, closeMs } = settings;
    const { endpoint } = api;
    if (settings.startMachine) await startWhereNeeded(api, spec.profile, machine, signal);

    const budget = AbortSignal.any([signal, AbortSignal.timeout(this.#timing.handshakeMs)]);
    const found = await preflight(api, machine, false, budget);
    requirePromisedNetwork(spec.profile, found);
    const execution = await this.#records.claim(place);
    if (budget.aborted) {
      this.#records.release(place, execution);
      throw new SmolvmFailure('refused', wordsOfAbort(budget));
    }
    // From here on the machine counts as touched: what fails is not known to have done nothing (rule 2).
    const identity = { kind: 'machine', machine, execution } as const;
    const { connectMs } = this.#timing;
    try {
      const socket = openSocket(endpoint, { machine, program, size, maxBufferBytes, closeMs, connectMs });
      const terminal = new SmolvmTerminal(socket, {
        identity,
        posture: postureOf(found),
        settings,
        timing: this.#timing,
        over: (ending) => this.#over(place, execution, ending),
      });
      await handshake(socket, budget);
      return terminal;
    } catch (error) {
      const { kind, message } = asFailure(error);
      await this.#records.leaveUnresolved(place, execution, message);
      throw new EngineError(
        TAGS[kind === 'authentication' ? kind : 'uncertain'],
        message,
        `Whether a program was started is not known: look at the machine "${machine}", then mark its session as resolved.`,
        identity,
      );
    }
  }

  /** What is refused before the server is asked: by the check of a profile and by an opening alike. */
  #prepare(spec: SandboxSpec) {
    const program = programOf(spec);
    const settings = settingsOf(spec.profile);
    const api = new SmolvmApi(endpointOf(settings, spec.profile.id, this.#tokens), this.#timing);
    const place: MachinePlace = { address: api.endpoint.server, machine: settings.machine };
    this.#records.requireFree(place);
    return { program, settings, api, place };
  }

  async #over(place: MachinePlace, execution: string, ending: Ending): Promise<void> {
    if (ending.kind === 'uncertain')
      return this.#records.leaveUnresolved(place, execution, whyUncertain(ending));
    try {
      this.#records.release(place, execution);
    } catch (error) {
      await this.#records.leaveUnresolved(
        place,
        execution,
        `Its record cannot be removed: ${(error as Error).message}.`,
      );
    }
  }

  async #probeUsualPlace(signal: AbortSignal): Promise<EngineStatus> {
    const address = usualAddress();
    const settings = smolvmSettingsSchema.parse({ address });
    const api = new SmolvmApi(endpointOf(settings, 'usual', NO_TOKENS), this.#timing);
    try {
      const version = await api.version(signal);
      return ready(version, `smolvm ${version} is ready. A profile names its address and the machine.`);
    } catch (error) {
      if (error instanceof SmolvmFailure && error.kind === 'unreachable') return nothingListens(address);
      throw error;
    }
  }

  async #probeProfile(profile: Profile, signal: AbortSignal): Promise<EngineStatus> {
    const { settings, api } = this.#prepare({ sessionId: 'probe', profile, project: null });
    const found = await preflight(api, settings.machine, settings.startMachine, signal);
    requirePromisedNetwork(profile, found);
    if (!(await api.ready(signal))) {
      throw new SmolvmFailure(
        'unreachable',
        `smolvm ${found.version} answers, but takes no work now (/readyz).`,
      );
    }
    return ready(found.version, readyInWords(found));
  }
}

const NO_TOKENS: TokenSource = { read: () => ok(null) };

/** Under its own time limit: booting is not a part of the handshake. */
async function startWhereNeeded(
  api: SmolvmApi,
  profile: Profile,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const found = await preflight(api, name, true, signal);
  requirePromisedNetwork(profile, found);
  if (isStartable(found.machine.state)) await api.start(name, signal);
}

function readyInWords({ version, machine }: Preflight): string {
  const state = machine.state === 'running' ? 'runs' : 'will be started';
  return `smolvm ${version} is ready; the machine "${machine.name}" ${state}.`;
}

function asFailure(error: unknown): SmolvmFailure {
  if (error instanceof SmolvmFailure) return error;
  if (error instanceof EngineError) return new SmolvmFailure('not-configured', error.message);
  return new SmolvmFailure('unreachable', error instanceof Error ? error.message : String(error));
}

function asEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const { kind, message } = asFailure(error);
  return new EngineError(TAGS[kind], message);
}

const TAGS: Readonly<Record<SmolvmFailure['kind'], EngineError['tag']>> = {
  'not-configured': 'profile-invalid',
  unreachable: 'engine-unavailable',
  authentication: 'engine-unavailable',
  unsupported: 'engine-unavailable',
  refused: 'open-failed',
  'not-running': 'open-failed',
  blocked: 'open-failed',
  uncertain: 'open-failed',
};
