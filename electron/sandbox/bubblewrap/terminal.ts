import { constants } from 'node:os';
import type { Disposable } from '../../../shared/disposable.ts';
import type { Outcome, ReleaseReport } from '../../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import type { OutFolder, SandboxTerminal } from '../engine.ts';
import type { ProcessIdentity } from '../process-identity.ts';
import type { ProcessExit, PtyProcess } from '../pty/pty-process.ts';
import { sendBreak } from './break.ts';
import { outFolderOf } from './out-folder.ts';
import { releaseSandbox, type SandboxParts } from './release.ts';

/** One sandbox that runs, and the host's end of its PTY. */
export class BubblewrapTerminal implements SandboxTerminal {
  readonly identity: ProcessIdentity;
  readonly posture: SandboxPosture;
  readonly outFolder: OutFolder | null;
  readonly ended: Promise<Outcome>;
  readonly #process: PtyProcess;
  readonly #parts: SandboxParts;
  #release: Promise<ReleaseReport> | null = null;

  constructor(process: PtyProcess, parts: SandboxParts, posture: SandboxPosture, hasOut: boolean) {
    this.#process = process;
    this.#parts = parts;
    this.identity = parts.leader;
    this.posture = posture;
    this.outFolder = hasOut ? outFolderOf(parts.init) : null;
    this.ended = process.ended.then(outcomeOf);
  }

  onOutput(listener: (bytes: Uint8Array) => void): Disposable {
    return this.#process.onOutput(listener);
  }

  pause(): void {
    this.#process.pause();
  }

  resume(): void {
    this.#process.resume();
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#process.write(bytes);
  }

  async resize(size: TerminalSize): Promise<void> {
    this.#process.resize(size);
  }

  async sendBreak(): Promise<string | null> {
    const { slaveDescriptor } = this.#process;
    const { program, init } = this.#parts;
    if (slaveDescriptor === null) return 'BREAK was not sent: the program has ended.';
    return sendBreak({ slaveDescriptor, program, init, write: (bytes) => this.write(bytes) });
  }

  release(): Promise<ReleaseReport> {
    this.#release ??= releaseSandbox(this.#parts);
    return this.#release;
  }
}

/**
 * How the program ended (ST-22). bwrap ends with the code of its program, or 128 + signal; a signal of its own means
 * that the sandbox was killed, and nobody can say what the program would have done.
 */
export function outcomeOf({ code, signal, error }: ProcessExit): Outcome {
  if (signal !== null) return { kind: 'signalled', signal: constants.signals[signal], name: signal };
  if (code !== null) return { kind: 'exited', code };
  return {
    kind: 'unknown',
    reason: `bubblewrap could not be started: ${error?.message ?? 'no reason given'}.`,
  };
}
