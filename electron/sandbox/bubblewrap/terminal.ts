import { constants } from 'node:os';
import type { Outcome, ReleaseReport } from '../../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import type { Disposable, SandboxTerminal } from '../engine.ts';
import type { ProcessIdentity } from '../process-identity.ts';
import type { ProcessExit, PtyProcess } from '../pty/pty-process.ts';
import { sendBreak } from './break.ts';
import { releaseSandbox, type SandboxParts } from './release.ts';
import type { StatusReader } from './status.ts';

/** One sandbox that runs, and the host's end of its PTY. */
export class BubblewrapTerminal implements SandboxTerminal {
  readonly identity: ProcessIdentity;
  readonly posture: SandboxPosture;
  readonly ended: Promise<Outcome>;
  readonly #process: PtyProcess;
  readonly #parts: SandboxParts;
  #release: Promise<ReleaseReport> | null = null;

  constructor(process: PtyProcess, parts: SandboxParts, status: StatusReader, posture: SandboxPosture) {
    this.#process = process;
    this.#parts = parts;
    this.identity = parts.leader;
    this.posture = posture;
    this.ended = process.ended.then((exit) => outcomeOf(exit, status.exitCode));
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
    if (slaveDescriptor === null || program === null) return 'BREAK was not sent: the program has ended.';
    return sendBreak({ slaveDescriptor, program, init, write: (bytes) => this.write(bytes) });
  }

  release(): Promise<ReleaseReport> {
    this.#release ??= releaseSandbox(this.#parts);
    return this.#release;
  }
}

/**
 * How the program ended (ST-22). bwrap's status line is what the program itself did: its code, or 128 + signal.
 * Without it, a signal that ended bwrap is all that is known; anything else is not guessed at.
 */
export function outcomeOf(exit: ProcessExit, reportedCode: number | null): Outcome {
  if (reportedCode !== null) return { kind: 'exited', code: reportedCode };
  if (exit.signal) return { kind: 'signalled', signal: constants.signals[exit.signal], name: exit.signal };
  return {
    kind: 'unknown',
    reason: `bubblewrap ended with code ${exit.code ?? 'unknown'} and did not report the program's.`,
  };
}
