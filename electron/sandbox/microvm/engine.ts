import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type MicrovmSettings, microvmSettingsSchema } from '../../../shared/settings/engine-settings.ts';
import type { Profile } from '../../../shared/settings/schema.ts';
import { type EngineStatus, fixInWords } from '../../../shared/terminal/engine-status.ts';
import { RELEASE } from '../../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
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
import { checkIdentity, signalExactly } from '../process-identity.ts';
import { resolveFolders } from '../validate.ts';
import { waitUntil } from '../wait.ts';
import { type BootedMachine, bootMachine, discardMachine } from './boot.ts';
import { type GuestFiles, GuestStore } from './guest/store.ts';
import { sessionInitramfs } from './initramfs.ts';
import { type Accelerator, emulation, likelyAccelerator } from './monitor/accelerator.ts';
import { FirecrackerMonitor } from './monitor/firecracker.ts';
import { removeFolderOf } from './monitor/machine-folder.ts';
import type { MachinePlan } from './monitor/monitor.ts';
import { deviceAccess, SETPRIV } from './monitor/process.ts';
import { QemuMonitor } from './monitor/qemu.ts';
import { machinePosture, processorsOf } from './posture.ts';
import { findMonitor, type MonitorName, type MonitorProgram } from './programs.ts';
import { outputMaxBytes, sessionArchive } from './session-archive.ts';
import { decideStatus } from './status-words.ts';
import { MicrovmTerminal } from './terminal.ts';
import { microvmProblem, validateMicrovm } from './validate.ts';

export interface MicrovmOptions {
  readonly dataDir: string;
  /** Monitors elsewhere than where distributions put them. */
  readonly programs?: Partial<Record<MonitorName, string>>;
  /** False for what only speaks Firecracker's API. */
  readonly needsKvm?: boolean;
}

/** Bytes of a kernel or an initial file system of a person's own; the latter is copied for each machine. */
const CHOSEN_MAX_BYTES = 1024 * 1024 * 1024;

/** Milliseconds that a machine on KVM has before QEMU emulates it instead; it needs a fraction of one second. */
const KVM_TRIAL_MS = 10_000;

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
  /** How QEMU's machines run here, once one has: nothing else than trying shows whether KVM boots. */
  #accelerator: Accelerator | null = null;

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
      guestProblem: await this.#guestProblem(settings),
      kvm: this.#options.needsKvm === false || deviceAccess('/dev/kvm').usable,
      accelerator: this.#accelerator,
      profileProblem: profile === undefined ? null : microvmProblem(profile, profile.project),
    });
  }

  openDeadlineMs(profile: Profile): number {
    return settingsOf(profile).startupMs + AROUND_MS;
  }

  async open(spec: SandboxSpec, size: TerminalSize, signal: AbortSignal): Promise<SandboxTerminal> {
    validateMicrovm(spec);
    const folders = resolveFolders(spec, [this.#options.dataDir]);
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
          `The machine did not start its program within ${settings.startupMs} ms (microvm.startupMs). What was started has been ended.`,
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
    const gone = await waitUntil(() => checkIdentity(identity) !== 'running', RELEASE.removalMs);
    if (!gone)
      return {
        kind: 'mismatch',
        reason: `Process ${identity.pid} did not end within ${RELEASE.removalMs} ms.`,
      };
    removeFolderOf(identity);
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
    const guest = await this.#guestFiles(settings);
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
        const version = program.version ?? '';
        if (settings.monitor === 'qemu') return await this.#bootQemu(program.path, version, plan, signal);
        return await bootMachine(new FirecrackerMonitor(program.path, version), plan, signal);
      } finally {
        await initramfs.close();
      }
    } finally {
      await kernel.close();
    }
  }

  /** The first machine tries KVM where there is one. Only between accelerators is there a second try. */
  async #bootQemu(
    path: string,
    version: string,
    plan: MachinePlan,
    signal: AbortSignal,
  ): Promise<BootedMachine> {
    const accelerator = this.#accelerator ?? likelyAccelerator();
    if (this.#accelerator === null && accelerator.kind === 'kvm') {
      const trial = AbortSignal.any([signal, AbortSignal.timeout(KVM_TRIAL_MS)]);
      try {
        const booted = await bootMachine(new QemuMonitor(path, version, accelerator), plan, trial);
        this.#accelerator = accelerator;
        return booted;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof EngineError) throw error;
        const why = trial.aborted ? `no guest was up after ${KVM_TRIAL_MS} ms` : (error as Error).message;
        this.#accelerator = emulation(`KVM does not boot it here, ${why}`);
      }
    }
    this.#accelerator ??= accelerator;
    return bootMachine(new QemuMonitor(path, version, this.#accelerator), plan, signal);
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

  async #guestProblem({ kernel, initramfs }: MicrovmSettings): Promise<string | null> {
    for (const [field, path] of [
      ['microvm.kernel', kernel],
      ['microvm.initramfs', initramfs],
    ] as const) {
      const problem = path === null ? null : chosenProblem(path);
      if (problem !== null) return `${field} names ${path}, which cannot be used: ${problem}.`;
    }
    if (kernel !== null && initramfs !== null) return null;
    return (await this.#store.read()) === null ? 'No guest has been built yet.' : null;
  }

  async #guestFiles({ kernel, initramfs }: MicrovmSettings): Promise<GuestFiles> {
    if (kernel !== null && initramfs !== null) return { kernel, initramfs };
    const guest = await this.#store.read();
    if (guest === null)
      throw new EngineError('engine-unavailable', 'No guest has been built: airlock guest build');
    await this.#store.verify(guest);
    const built = this.#store.filesOf(guest);
    return { kernel: kernel ?? built.kernel, initramfs: initramfs ?? built.initramfs };
  }
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
