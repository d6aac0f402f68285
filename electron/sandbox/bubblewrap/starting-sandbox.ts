import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SandboxLimits } from '../../../shared/settings/schema.ts';
import { RELEASE } from '../../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { EngineError, type SandboxSpec } from '../engine.ts';
import type { Folders } from '../host-folders.ts';
import { childrenOf, identify, isGone, type ProcessIdentity, readProcess } from '../process-identity.ts';
import { PtyProcess } from '../pty/pty-process.ts';
import { settledWithin, waitUntil } from '../wait.ts';
import { sandboxOptions } from './arguments.ts';
import { readHostFacts } from './host-facts.ts';
import { DESCRIPTORS, HOST_PIPES, LAUNCHER_SCRIPT } from './launcher.ts';
import { BWRAP_PROCESSES_INSIDE } from './limits/create-groups.ts';
import { readEnforcedLimits } from './limits/enforced-limits.ts';
import type { SessionLimiter } from './limits/limiter.ts';
import { readPosture } from './posture.ts';
import {
  findInit,
  findShim,
  foldersAreMounted,
  lastWords,
  shimFailure,
  shimmed,
  startOrder,
  waitForProgram,
  workerStartOrder,
} from './start.ts';
import { BubblewrapTerminal } from './terminal.ts';
import { prepareWorker } from './worker.ts';

/** Milliseconds for one call of prlimit. */
const PRLIMIT_MS = 3_000;

/** Milliseconds for bwrap to stop; it does at once, unless the machine is very busy. */
const STOP_MS = 500;

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

/** bwrap and its PTY between the first process and the commit. */
export class StartingSandbox {
  readonly #request: OpenRequest;
  readonly #limiter: SessionLimiter;
  readonly #process: PtyProcess;
  #init: ProcessIdentity | null = null;
  #discarding: Promise<void> | null = null;

  constructor(request: OpenRequest, limiter: SessionLimiter) {
    this.#request = request;
    this.#limiter = limiter;
    this.#process = new PtyProcess({
      file: '/bin/bash',
      args: ['--norc', '--noprofile', '-c', LAUNCHER_SCRIPT, ...launcherArguments(request, limiter)],
      environment: { PATH: '/usr/bin:/bin', ...limiter.environment },
      size: request.size,
      pipes: HOST_PIPES,
      writersGone: () => this.#initGone(),
    });
  }

  /** Resolves when the program runs, or has run already. */
  async commit(): Promise<BubblewrapTerminal> {
    const { spec, folders, version } = this.#request;
    const { command, limits } = spec.profile;
    const { groups, name } = this.#limiter;
    const { pid } = this.#process;
    if (pid === null) {
      const { error } = await this.#process.exited;
      throw new EngineError('engine-unavailable', `/bin/bash could not be started: ${error?.message}`);
    }
    const leader = identify(pid);
    if (leader === null) throw setUpFailed(await lastWords(this.#process));
    this.#instruct();
    const init = await findInit(leader);
    this.#init = init;
    if (init === null) throw setUpFailed(await lastWords(this.#process));
    const [shim] = await Promise.all([findShim(init, command), groups.join([leader.pid, init.pid])]);
    if (shim === null) throw setUpFailed(await lastWords(this.#process));
    if (!foldersAreMounted(shim.pid, folders)) {
      throw new EngineError(
        'open-failed',
        'A shared folder was replaced while the sandbox was being set up.',
      );
    }
    await groups.join([shim.pid]);
    await limitProcesses(shim.pid, limits);
    if (spec.worker) await prepareWorker(spec.worker, shim.pid, this.#process.slaveDescriptor);
    const posture = readPosture({ spec, folders, version, pid: shim.pid, limiter: name });

    this.#pipe('go').end(spec.worker ? workerStartOrder() : startOrder(spec.profile.environment));
    await waitForProgram(shim, command);
    const failure = await this.#programFailure(shim);
    if (failure !== null) {
      throw new EngineError(
        'open-failed',
        `"${command[0]}" could not be started in the sandbox: ${failure}.`,
      );
    }
    const killLeader = () => this.#process.signal('SIGKILL');
    const parts = { leader, killLeader, init, program: shim, groups, exited: this.#process.exited };
    return new BubblewrapTerminal(this.#process, parts, posture, !spec.worker);
  }

  /** Ends what was started and removes what was made for it, within RELEASE.removalMs. */
  discard(): Promise<void> {
    this.#discarding ??= this.#endAndRemove();
    return this.#discarding;
  }

  /** What bwrap needs to know; it reads to the end of both pipes before it starts anything. */
  #instruct(): void {
    const { spec, folders, filter } = this.#request;
    const options = sandboxOptions(spec.profile, readHostFacts(spec.profile.network), folders);
    this.#pipe('seccomp').end(filter);
    this.#pipe('args').end(options.map((option) => `${option}\0`).join(''));
  }

  async #endAndRemove(): Promise<void> {
    const children = await this.#kill();
    await settledWithin(this.#process.ended, RELEASE.removalMs);
    // bwrap was reaped, its child perhaps not: that is the sandbox's pid 1, which is gone when every process in it is.
    await waitUntil(() => children.every(isGone), RELEASE.removalMs);
    this.#limiter.groups.killAll();
    await waitUntil(() => this.#limiter.groups.remove(), RELEASE.removalMs);
  }

  /**
   * Kills bwrap and its children, and resolves to those, as far as they can be looked at. bwrap alone, killed between two of
   * its own steps, would leave a child that waits for it for ever. It is stopped first, so that it has no more children.
   */
  async #kill(): Promise<readonly ProcessIdentity[]> {
    const { pid } = this.#process;
    if (pid === null || !this.#process.signal('SIGSTOP')) return [];
    try {
      await waitUntil(() => ['T', 'Z', undefined].includes(readProcess(pid)?.state), STOP_MS);
      return childrenOf(pid).flatMap((child) => identify(child) ?? []);
    } catch {
      return [];
    } finally {
      this.#process.killGroup();
    }
  }

  #pipe(name: keyof typeof DESCRIPTORS) {
    const pipe = this.#process.pipes[DESCRIPTORS[name] - DESCRIPTORS.seccomp];
    if (!pipe) throw new Error(`No pipe for ${name}.`);
    return pipe;
  }

  /** Why the program could not be executed, if that is how the sandbox ended. */
  async #programFailure(program: ProcessIdentity): Promise<string | null> {
    if (!isGone(program)) return null;
    const { code } = await this.#process.exited;
    return shimFailure(code, await lastWords(this.#process));
  }

  /** When nothing in the sandbox can write to the PTY any more. */
  async #initGone(): Promise<void> {
    const init = this.#init;
    if (init) await waitUntil(() => isGone(init), RELEASE.removalMs);
  }
}

/** A bound by the kernel's count per user, for where no control group counts the sandbox's processes. */
async function limitProcesses(pid: number, limits: SandboxLimits): Promise<void> {
  if (readEnforcedLimits(pid).tasks !== null || process.getuid?.() === 0) return;
  const count = limits.processes + BWRAP_PROCESSES_INSIDE;
  await promisify(execFile)('/usr/bin/prlimit', ['--pid', String(pid), `--nproc=${count}`], {
    timeout: PRLIMIT_MS,
  });
}

function launcherArguments(request: OpenRequest, limiter: SessionLimiter): string[] {
  const { command, limits } = request.spec.profile;
  return [
    ...['airlock-launcher', String(limits.openFiles)],
    ...[...limiter.prefix, request.bwrap, '--args', String(DESCRIPTORS.args)],
    ...['--seccomp', String(DESCRIPTORS.seccomp), '--', ...shimmed(command)],
  ];
}

function setUpFailed(words: string): EngineError {
  return new EngineError(
    'open-failed',
    `The sandbox could not be set up: ${words || 'bubblewrap gave no reason'}`,
  );
}
