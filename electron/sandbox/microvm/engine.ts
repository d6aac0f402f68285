import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type MicrovmSettings, microvmSettingsSchema } from '../../../shared/settings/engine-settings.ts';
import { fieldName } from '../../../shared/settings/field-names.ts';
import type { Profile } from '../../../shared/settings/schema.ts';
import { type EngineFix, type EngineStatus, fixInWords } from '../../../shared/terminal/engine-status.ts';
import { RELEASE } from '../../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { ownCommand } from '../../own-command.ts';
import { requirePlainFile } from '../../plain-file.ts';
import {
  EngineError,
  type RecoveryReport,
  type SandboxEngine,
  type SandboxIdentity,
  type SandboxSpec,
  type SandboxTerminal,
} from '../engine.ts';
import type { Folders } from '../host-folders.ts';
import { isGone, signalExactly } from '../process-identity.ts';
import { refusalOf, resolveFolders } from '../validate.ts';
import { waitUntil } from '../wait.ts';
import { AcceleratorTrial } from './accelerator-trial.ts';
import { type BootedMachine, bootMachine, discardMachine, otherProtocol } from './boot.ts';
import { type GuestFiles, GuestStore } from './guest/store.ts';
import { sessionInitramfs } from './initramfs.ts';
import { FirecrackerMonitor } from './monitor/firecracker.ts';
import { removeLeftMachineFolders } from './monitor/machine-folder.ts';
import { deviceAccess, SETPRIV } from './monitor/process.ts';
import { QemuMonitor } from './monitor/qemu.ts';
import { machinePosture, processorsOf } from './posture.ts';
import { findMonitor, type MonitorName, type MonitorProgram } from './programs.ts';
import { PROTOCOL } from './protocol.ts';
import { outputMaxBytes, sessionArchive } from './session-archive.ts';
import { decideStatus, type MicrovmFacts } from './status-words.ts';
import { MicrovmTerminal } from './terminal.ts';
import { validateMicrovm } from './validate.ts';

export interface MicrovmOptions {
  readonly dataDir: string;
  /** Monitors elsewhere than where distributions put them. */
  readonly programs?: Partial<Record<MonitorName, string>>;
  /** False for what only speaks Firecracker's API. */
  readonly needsKvm?: boolean;
}

/** Bytes of a kernel or an initial file system of a person's own; the latter is copied for each machine. */
const CHOSEN_MAX_BYTES = 1024 * 1024 * 1024;

/** Milliseconds for what surrounds a start: the guest is hashed once, and what failed is ended. */
const AROUND_MS = 15_000;

/**
 * Each session in a virtual machine of its own, with its own kernel: no network device, no disk, no folder of the host. QEMU or
 * Firecracker run it, with the same guest. 64-bit x86 Linux only.
 */
export class MicrovmEngine implements SandboxEngine {
  readonly kind = 'microvm';
  readonly runsWorkers = true;
  readonly #options: MicrovmOptions;
  readonly #store: GuestStore;
  readonly #accelerators = new AcceleratorTrial();
  /** What killed hosts left is gone: once for this engine. */
  #leftovers: Promise<void> | null = null;

  constructor(options: MicrovmOptions) {
    this.#options = options;
    this.#store = new GuestStore(options.dataDir);
  }

  async probe(profile?: Profile): Promise<EngineStatus> {
    const settings = settingsOf(profile);
    return decideStatus({
      platform: process.platform,
      processor: process.arch,
      monitor: settings.monitor,
      program: await findMonitor(settings.monitor, this.#options.programs?.[settings.monitor]),
      hasSetpriv: existsSync(SETPRIV),
      guestProblem: await guestProblem(this.#guestFiles(settings, profile !== undefined)),
      kvm: this.#options.needsKvm === false || deviceAccess('/dev/kvm').usable,
      kvmExists: existsSync('/dev/kvm'),
      accelerator: this.#accelerators.proven,
      profileProblem:
        profile === undefined
          ? null
          : refusalOf(() => validateMicrovm({ sessionId: 'probe', profile, project: null })),
    });
  }

  openDeadlineMs(profile: Profile): number {
    return settingsOf(profile).startupMs + AROUND_MS;
  }

  async open(spec: SandboxSpec, size: TerminalSize, signal: AbortSignal): Promise<SandboxTerminal> {
    validateMicrovm(spec);
    const folders = resolveFolders(spec, [this.#options.dataDir]);
    this.#leftovers ??= removeLeftMachineFolders();
    await this.#leftovers;
    const status = await this.probe(spec.profile);
    const settings = settingsOf(spec.profile);
    const program = await findMonitor(settings.monitor, this.#options.programs?.[settings.monitor]);
    if (!status.usable || program === null)
      throw new EngineError(
        'engine-unavailable',
        [status.summary, ...status.fixes.map(fixInWords)].join('\n'),
      );
    const deadline = AbortSignal.timeout(settings.startupMs);
    const limited = AbortSignal.any([signal, deadline]);
    try {
      const booted = await this.#boot(spec, size, folders, program, limited);
      return await this.#start(booted, spec, folders, limited);
    } catch (error) {
      if (signal.aborted) throw givenUp(signal.reason);
      if (deadline.aborted)
        throw new EngineError(
          'open-timed-out',
          `The machine did not start its program within ${settings.startupMs / 1_000} s: ${fieldName('microvm.startupMs')}. What was started has been ended.`,
        );
      if (error instanceof EngineError) throw error;
      throw new EngineError('open-failed', `The machine could not be started: ${(error as Error).message}`);
    }
  }

  async recover(identity: SandboxIdentity): Promise<RecoveryReport> {
    if (identity.kind !== 'process') return { kind: 'mismatch', reason: 'It was no micro-VM.' };
    const result = signalExactly(identity, 'SIGKILL');
    if (result === 'mismatch')
      return { kind: 'mismatch', reason: `Process ${identity.pid} is not the one that was recorded.` };
    if (result === 'unknown')
      return { kind: 'mismatch', reason: `Process ${identity.pid} could not be looked at.` };
    const gone = await waitUntil(() => isGone(identity), RELEASE.removalMs);
    if (!gone)
      return {
        kind: 'mismatch',
        reason: `Process ${identity.pid} did not end within ${RELEASE.removalMs} ms.`,
      };
    await removeLeftMachineFolders();
    return { kind: result === 'gone' ? 'absent' : 'removed' };
  }

  async #boot(
    spec: SandboxSpec,
    size: TerminalSize,
    folders: Folders,
    program: MonitorProgram,
    signal: AbortSignal,
  ): Promise<BootedMachine> {
    const { limits } = spec.profile;
    const settings = settingsOf(spec.profile);
    const guest = await this.#guestFiles(settings, true);
    const archive = await sessionArchive(spec, folders.files ?? [], size);
    const kernel = await open(guest.kernel, 'r');
    try {
      const initramfs = await sessionInitramfs(
        guest.initramfs,
        archive,
        join(this.#options.dataDir, 'microvm'),
      );
      try {
        const plan = {
          ...{ kernel, initramfs, memoryMiB: limits.memoryMiB },
          processors: processorsOf(limits, availableParallelism()),
        };
        const { path, version } = { ...program, version: program.version ?? '' };
        if (settings.monitor === 'firecracker')
          return await bootMachine(new FirecrackerMonitor(path, version), plan, signal);
        return await this.#accelerators.boot(
          (accelerator, limited) => bootMachine(new QemuMonitor(path, version, accelerator), plan, limited),
          signal,
        );
      } finally {
        await initramfs.close();
      }
    } finally {
      await kernel.close();
    }
  }

  async #start(
    { machine, link, guest }: BootedMachine,
    spec: SandboxSpec,
    folders: Folders,
    signal: AbortSignal,
  ): Promise<SandboxTerminal> {
    const abort = () => void machine.process.kill(0);
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      const posture = machinePosture({ spec, folders, machine, guest });
      await link.ask('start', 'started');
      const parts = {
        ...{ machine, link },
        outputs: (folders.files ?? []).filter(({ access }) => access === 'read-write'),
        outputMaxBytes: outputMaxBytes(spec),
        lifetimeMs: settingsOf(spec.profile).lifetimeMs,
      };
      return new MicrovmTerminal(parts, posture);
    } catch (error) {
      await discardMachine(machine, link);
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /**
   * The guest of a profile. Rejects with GuestError. `hashed`: its files are looked at whole, once; else only whether there is one.
   */
  async #guestFiles(settings: MicrovmSettings, hashed: boolean): Promise<GuestFiles> {
    const { kernel, initramfs } = settings;
    for (const field of ['kernel', 'initramfs'] as const) {
      const problem = settings[field] === null ? null : chosenProblem(settings[field]);
      if (problem !== null)
        throw new GuestError(
          `${fieldName(`microvm.${field}`)} names ${settings[field]}, which cannot be used: ${problem}.`,
        );
    }
    if (kernel !== null && initramfs !== null) return { kernel, initramfs };
    const guest = await this.#store.read();
    if (guest === null) throw new GuestError('No guest has been built yet.', 'Build the guest:');
    if (guest.protocol !== PROTOCOL) throw new GuestError(otherProtocol(guest.protocol), BUILD_AGAIN);
    if (hashed)
      await this.#store.verify(guest).catch((error: Error) => {
        throw new GuestError(error.message, BUILD_AGAIN);
      });
    const built = this.#store.filesOf(guest);
    return { kernel: kernel ?? built.kernel, initramfs: initramfs ?? built.initramfs };
  }
}

/** No guest that can be booted: why not as a sentence, and before its command what building one does about it. */
class GuestError extends Error {
  readonly fixes: readonly EngineFix[];
  constructor(message: string, building?: string) {
    super(message);
    this.fixes = building === undefined ? [] : [{ text: building, command: ownCommand('guest build') }];
  }
}

const BUILD_AGAIN = 'Build it again:';

/** What is wrong with the guest, for a status; null for one that can be used. */
function guestProblem(guest: Promise<GuestFiles>): Promise<MicrovmFacts['guestProblem']> {
  return guest.then(
    () => null,
    (error: unknown) => {
      if (error instanceof GuestError) return { summary: error.message, fixes: error.fixes };
      throw error;
    },
  );
}

/** Why a file of a person's own cannot be used, in words; null when it can. A pipe would hold an opening up for ever. */
function chosenProblem(path: string): string | null {
  if (!existsSync(path)) return 'there is no such file';
  try {
    requirePlainFile(path, CHOSEN_MAX_BYTES);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function settingsOf(profile: Profile | undefined): MicrovmSettings {
  return microvmSettingsSchema.parse(profile?.microvm ?? {});
}

function givenUp(reason: unknown): EngineError {
  if (reason instanceof EngineError) return reason;
  return new EngineError('open-failed', 'Opening was cancelled; what had been started was ended.');
}
