import type { Disposable } from '../../../shared/disposable.ts';
import { fieldName } from '../../../shared/settings/field-names.ts';
import { DRAIN_DEADLINE_MS, RELEASE } from '../../../shared/terminal/limits.ts';
import type { Outcome, ReleaseReport } from '../../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import { type TerminalSize, terminalSizeSchema } from '../../../shared/terminal/size.ts';
import type { SandboxTerminal } from '../engine.ts';
import type { SharedFile } from '../host-folders.ts';
import type { ProcessIdentity } from '../process-identity.ts';
import { settledWithin } from '../wait.ts';
import type { GuestLink } from './guest-link.ts';
import type { Machine } from './monitor/monitor.ts';
import { releaseMachine } from './release.ts';

/** Milliseconds for an answer of the guest's agent, which an emulated machine under load may need. */
const ANSWER_MS = 10_000;

/** What is known of a machine whose program was started. */
export interface MachineParts {
  readonly machine: Machine;
  readonly link: GuestLink;
  /** The files that the program may write, in the order of the agent's list. */
  readonly outputs: readonly SharedFile[];
  /** Bytes of those together. */
  readonly outputMaxBytes: number;
  /** Milliseconds until the machine is removed whatever it does. */
  readonly lifetimeMs: number;
}

/** One machine that runs, and the host's end of its channels. */
export class MicrovmTerminal implements SandboxTerminal {
  readonly identity: ProcessIdentity;
  readonly posture: SandboxPosture;
  readonly outFolder = null;
  readonly filesComeLate = true;
  readonly ended: Promise<Outcome>;
  readonly #parts: MachineParts;
  readonly #lifetime: NodeJS.Timeout;
  #removal: 'none' | 'lifetime' | 'release' = 'none';
  #hasEnded = false;
  #release: Promise<ReleaseReport> | null = null;

  constructor(parts: MachineParts, posture: SandboxPosture) {
    const { machine, link, lifetimeMs } = parts;
    this.#parts = parts;
    this.identity = machine.process.identity;
    this.posture = posture;
    this.#lifetime = setTimeout(() => void this.#kill('lifetime'), lifetimeMs);
    // Channels that the guest closed, or that it broke the rules of, lead nowhere any more.
    void link.closed.then(() => machine.process.kill(0));
    void machine.process.exited.then(() => {
      link.drain();
      clearTimeout(this.#lifetime);
    });
    this.ended = this.#end();
  }

  onOutput(listener: (bytes: Uint8Array) => void): Disposable {
    return this.#parts.link.onOutput(listener);
  }

  pause(): void {
    this.#parts.link.pause();
  }

  resume(): void {
    this.#parts.link.resume();
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#parts.link.write(bytes);
  }

  async resize(size: TerminalSize): Promise<void> {
    const valid = terminalSizeSchema.safeParse(size);
    if (!valid.success) throw new RangeError(`${size.cols}x${size.rows} is not a terminal size`);
    if (this.#hasEnded) return;
    const { cols, rows } = valid.data;
    try {
      await this.#parts.link.ask(`size ${cols} ${rows}`, 'sized', ANSWER_MS);
    } catch (error) {
      if (!this.#hasEnded && this.#parts.machine.process.isRunning) throw error;
    }
  }

  async sendBreak(): Promise<string | null> {
    const { meaning } = await this.#parts.link.ask('break', 'broke', ANSWER_MS);
    switch (meaning) {
      case 'ignored':
        return 'BREAK was ignored, as the terminal modes ask (ignbrk).';
      case 'interrupt':
        return 'BREAK interrupted the foreground program (SIGINT), as the terminal modes ask (brkint).';
      case 'nul':
        return 'BREAK was sent as a NUL byte, as the terminal modes ask.';
      case 'nobody':
        return 'BREAK was not sent: no foreground program of this sandbox was found.';
    }
  }

  release(): Promise<ReleaseReport> {
    this.#release ??= releaseMachine(this.#parts, this.ended, () => this.#kill('release'));
    return this.#release;
  }

  /** The outcome that the agent told, or why nobody can know it. Output comes first, as far as it comes in time. */
  async #end(): Promise<Outcome> {
    const { link, machine } = this.#parts;
    const told = await Promise.race([link.ended, link.closed.then(() => null)]);
    if (told !== null) await settledWithin(Promise.race([link.drained, link.closed]), DRAIN_DEADLINE_MS);
    this.#hasEnded = true;
    link.stopOutput();
    if (told !== null) return told;
    await settledWithin(machine.process.exited, RELEASE.removalMs);
    return this.#unknown(await link.closed, machine.process.inWords());
  }

  #unknown(reason: string, words: string): Outcome {
    if (this.#removal === 'release') return { kind: 'signalled', signal: 9, name: 'SIGKILL' };
    if (this.#removal === 'lifetime') {
      const { lifetimeMs } = this.#parts;
      return {
        kind: 'unknown',
        reason: `The machine was removed after ${lifetimeMs / 1_000} s, as its profile says: ${fieldName('microvm.lifetimeMs')}.`,
      };
    }
    return { kind: 'unknown', reason: `${reason} How its program ended is not known; ${words}.` };
  }

  async #kill(cause: 'lifetime' | 'release'): Promise<void> {
    if (this.#removal === 'none' && !this.#hasEnded) this.#removal = cause;
    clearTimeout(this.#lifetime);
    await this.#parts.machine.process.kill(0);
  }
}
