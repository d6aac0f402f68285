import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { RELEASE } from '../../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { EngineError, type SandboxSpec } from '../engine.ts';
import { checkIdentity, identify, type ProcessIdentity, signalExactly } from '../process-identity.ts';
import { PtyProcess } from '../pty/pty-process.ts';
import { settledWithin, waitUntil } from '../wait.ts';
import { type Folders, sandboxOptions } from './arguments.ts';
import { readHostFacts } from './host-facts.ts';
import { DESCRIPTORS, HOST_PIPES, LAUNCHER_SCRIPT } from './launcher.ts';
import { readEnforcedLimits } from './limits/enforced-limits.ts';
import { createSessionLimiter, type SessionLimiter } from './limits/limiter.ts';
import { BWRAP_PROCESSES_INSIDE } from './limits/session-groups.ts';
import { readPosture } from './posture.ts';
import { foldersAreMounted, lastWords, TERMINAL_SHIM, waitForStart } from './start.ts';
import { StatusReader } from './status.ts';
import { BubblewrapTerminal } from './terminal.ts';

/** Milliseconds for one call of prlimit. */
const PRLIMIT_MS = 3_000;

/** What to open, checked already. */
export interface OpenRequest {
  readonly spec: SandboxSpec;
  readonly folders: Folders;
  readonly size: TerminalSize;
  /** The system-call filter for this processor. */
  readonly filter: Uint8Array;
  /** Path and version of bwrap. */
  readonly bwrap: string;
  readonly version: string;
}

/**
 * Starts one sandbox in the order of ST-6: the PTY at its size, bwrap on it, the identities and limits, and only
 * then the program: until everything about the sandbox is known, bwrap waits on a pipe. Rejects with EngineError;
 * whatever was started has been ended by then.
 */
export async function openSandbox(request: OpenRequest, signal: AbortSignal): Promise<BubblewrapTerminal> {
  const limiter = await createSessionLimiter(request.spec.profile.limits);
  let starting: StartingSandbox | null = null;
  const abort = () => starting?.kill();
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    starting = new StartingSandbox(request, limiter);
    const terminal = await starting.commit();
    signal.throwIfAborted();
    return terminal;
  } catch (error) {
    await starting?.discard();
    limiter.groups.remove();
    throw asEngineError(error, signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** bwrap and its PTY between the first process and the commit. */
class StartingSandbox {
  readonly #request: OpenRequest;
  readonly #limiter: SessionLimiter;
  readonly #process: PtyProcess;
  readonly #status: StatusReader;
  readonly #leader: ProcessIdentity | null;
  #init: ProcessIdentity | null = null;

  constructor(request: OpenRequest, limiter: SessionLimiter) {
    const { profile } = request.spec;
    const options = sandboxOptions(profile, readHostFacts(profile.network), request.folders);
    this.#request = request;
    this.#limiter = limiter;
    this.#process = new PtyProcess({
      file: '/bin/bash',
      args: ['--norc', '--noprofile', '-c', LAUNCHER_SCRIPT, ...launcherArguments(request, limiter)],
      environment: { PATH: '/usr/bin:/bin', ...limiter.environment },
      size: request.size,
      pipes: HOST_PIPES,
      writersGone: () => this.#writersGone(),
    });
    this.#leader = this.#process.pid === null ? null : identify(this.#process.pid);
    this.#status = new StatusReader(this.#pipe('status'));
    this.#pipe('seccomp').end(request.filter);
    this.#pipe('args').end(options.map((option) => `${option}\0`).join(''));
  }

  /** Resolves when the program runs, or has run already. */
  async commit(): Promise<BubblewrapTerminal> {
    const { spec, folders, version } = this.#request;
    const command = spec.profile.command;
    const leader = this.#leader;
    if (leader === null) {
      const { error } = await this.#process.exited;
      throw new EngineError('engine-unavailable', `/bin/bash could not be started: ${error?.message}`);
    }
    const childPid = await this.#status.childPid;
    const init = childPid === null ? null : identify(childPid);
    if (init === null) throw setUpFailed(await lastWords(this.#process));
    this.#init = init;

    const [mounted] = await Promise.all([
      foldersAreMounted(init, folders),
      this.#limiter.groups.join([leader.pid, init.pid]),
    ]);
    if (mounted) {
      await this.#limitProcesses(init.pid);
      this.#pipe('block').end('\n');
    } else if (checkIdentity(init) === 'running') {
      throw new EngineError(
        'open-failed',
        'A shared folder was replaced while the sandbox was being set up.',
      );
    }
    const posture = readPosture({ spec, folders, version, init: init.pid, limiter: this.#limiter.name });
    const start = await waitForStart(this.#process, init.pid, command, this.#status);
    if (start.kind === 'set-up-failed') throw setUpFailed(start.words);
    if (start.kind === 'program-failed') {
      throw new EngineError(
        'open-failed',
        `"${command[0]}" could not be started in the sandbox: ${start.reason}.`,
      );
    }
    const { groups } = this.#limiter;
    const parts = { leader, init, program: start.program, groups, exited: this.#process.exited };
    return new BubblewrapTerminal(this.#process, parts, this.#status, posture);
  }

  kill(): void {
    if (this.#leader) signalExactly(this.#leader, 'SIGKILL');
  }

  /** Ends what was started and removes what was made for it, within RELEASE.removalMs. */
  async discard(): Promise<void> {
    this.kill();
    await settledWithin(this.#process.ended, RELEASE.removalMs);
    this.#limiter.groups.killAll();
    await waitUntil(() => this.#limiter.groups.remove(), RELEASE.removalMs);
  }

  #pipe(name: keyof typeof DESCRIPTORS) {
    const pipe = this.#process.pipes[DESCRIPTORS[name] - DESCRIPTORS.status];
    if (!pipe) throw new Error(`No pipe for ${name}.`);
    return pipe;
  }

  /** A bound by the kernel's per-user count, for where no control group counts the sandbox's processes. */
  async #limitProcesses(init: number): Promise<void> {
    if (readEnforcedLimits(init).tasks !== null || process.getuid?.() === 0) return;
    const count = this.#request.spec.profile.limits.processes + BWRAP_PROCESSES_INSIDE;
    await promisify(execFile)('/usr/bin/prlimit', ['--pid', String(init), `--nproc=${count}`], {
      timeout: PRLIMIT_MS,
    });
  }

  /** When nothing in the sandbox can write to the PTY any more, and bwrap has said all it has to say. */
  async #writersGone(): Promise<void> {
    const init = this.#init;
    await this.#status.complete;
    if (init) await waitUntil(() => checkIdentity(init) !== 'running', RELEASE.removalMs);
  }
}

function launcherArguments(request: OpenRequest, limiter: SessionLimiter): string[] {
  const { command, limits } = request.spec.profile;
  return [
    ...['airlock-launcher', String(limits.openFiles)],
    ...[...limiter.prefix, request.bwrap, '--args', String(DESCRIPTORS.args)],
    ...['--json-status-fd', String(DESCRIPTORS.status), '--seccomp', String(DESCRIPTORS.seccomp)],
    ...['--block-fd', String(DESCRIPTORS.block), '--', ...TERMINAL_SHIM, ...command],
  ];
}

function setUpFailed(words: string): EngineError {
  return new EngineError(
    'open-failed',
    `The sandbox could not be set up: ${words || 'bubblewrap gave no reason'}`,
  );
}

function asEngineError(error: unknown, signal: AbortSignal): EngineError {
  if (signal.aborted) {
    return signal.reason instanceof EngineError
      ? signal.reason
      : new EngineError('open-failed', 'Opening was cancelled; what had been started was ended.');
  }
  if (error instanceof EngineError) return error;
  return new EngineError('open-failed', error instanceof Error ? error.message : String(error));
}
