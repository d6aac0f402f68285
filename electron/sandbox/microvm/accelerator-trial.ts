import { EngineError } from '../engine.ts';
import { type Accelerator, emulation, likelyAccelerator } from './monitor/accelerator.ts';

/** Milliseconds that a machine on KVM has before QEMU emulates it instead; it needs a fraction of one second. */
const KVM_TRIAL_MS = 10_000;

type Attempt<Machine> = (accelerator: Accelerator, signal: AbortSignal) => Promise<Machine>;

/**
 * How QEMU's machines run here: nothing else than trying shows whether KVM boots. Until a machine has come up each tries KVM
 * where there is one, and emulation then; a guest that boots on neither says nothing about KVM.
 */
export class AcceleratorTrial {
  readonly #likely: () => Accelerator;
  #proven: Accelerator | null = null;

  constructor(likely = likelyAccelerator) {
    this.#likely = likely;
  }

  /** What the first machine that came up ran on; null before it. */
  get proven(): Accelerator | null {
    return this.#proven;
  }

  /** Boots a machine. Only between accelerators is there a second try. */
  async boot<Machine>(attempt: Attempt<Machine>, signal: AbortSignal): Promise<Machine> {
    const accelerator = this.#proven ?? this.#likely();
    if (this.#proven !== null || accelerator.kind !== 'kvm') return this.#prove(attempt, accelerator, signal);
    const trial = AbortSignal.any([signal, AbortSignal.timeout(KVM_TRIAL_MS)]);
    try {
      return await this.#prove(attempt, accelerator, trial);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EngineError) throw error;
      const why = trial.aborted ? `no guest was up after ${KVM_TRIAL_MS} ms` : (error as Error).message;
      return this.#prove(attempt, emulation(`KVM does not boot it here, ${why}`), signal);
    }
  }

  async #prove<Machine>(
    attempt: Attempt<Machine>,
    accelerator: Accelerator,
    signal: AbortSignal,
  ): Promise<Machine> {
    const machine = await attempt(accelerator, signal);
    this.#proven ??= accelerator;
    return machine;
  }
}
