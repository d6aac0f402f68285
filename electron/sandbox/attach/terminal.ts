import { setTimeout as delay } from 'node:timers/promises';
import type { Disposable } from '../../../shared/disposable.ts';
import { DRAIN_DEADLINE_MS } from '../../../shared/terminal/limits.ts';
import type { Outcome, ReleaseReport } from '../../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import type { DockerClient } from '../docker/client.ts';
import { DaemonError } from '../docker/daemon-error.ts';
import { TerminalResizer } from '../docker/resize.ts';
import type { TerminalStream } from '../docker/terminal-stream.ts';
import type { SandboxIdentity, SandboxTerminal } from '../engine.ts';
import { settledWithin } from '../wait.ts';
import { releaseProgram } from './release.ts';

/** Milliseconds between looks at whether the program has ended, while its output is not read. */
const LOOK_MS = 500;

/**
 * Milliseconds between looks at a program whose output has ended, and how many there are: the daemon may know its code later; and
 * the milliseconds after which one that fails is the last.
 */
const LOOK_AGAIN = { ms: 100, times: 20, failingMs: 2_000 } as const;

const NO_STATUS = 'the daemon has no exit status for it';

export interface AttachedParts {
  readonly client: DockerClient;
  readonly identity: Extract<SandboxIdentity, { kind: 'program' }>;
  readonly stream: TerminalStream;
  readonly posture: SandboxPosture;
}

/** One program in a container that runs by itself, and the host's end of its terminal. */
export class AttachedTerminal implements SandboxTerminal {
  readonly identity: SandboxIdentity;
  readonly posture: SandboxPosture;
  /** The container's files are its own. */
  readonly outFolder = null;
  readonly ended: Promise<Outcome>;
  readonly #parts: AttachedParts;
  readonly #resizer: TerminalResizer;
  /** Resolved when the program is found to have ended while its output is not read. */
  readonly #endedUnread = Promise.withResolvers<void>();
  /** The next look for that; null while the output is read. */
  #nextLook: NodeJS.Timeout | null = null;
  #hasEnded = false;
  #release: Promise<ReleaseReport> | null = null;

  constructor(parts: AttachedParts) {
    this.#parts = parts;
    this.identity = parts.identity;
    this.posture = parts.posture;
    this.ended = this.#watch();
    const { client, identity } = parts;
    this.#resizer = new TerminalResizer({
      ask: async (size) => {
        if (!this.#hasEnded) await client.resizeExec(identity.exec, size);
      },
      ended: this.ended,
      mayLoseSizes: client.daemon.product === 'Podman',
    });
  }

  onOutput(listener: (bytes: Uint8Array) => void): Disposable {
    return this.#parts.stream.onOutput(listener);
  }

  pause(): void {
    this.#parts.stream.pause();
    if (this.#nextLook === null && !this.#hasEnded) this.#lookLater();
  }

  resume(): void {
    this.#lookNoMore();
    this.#parts.stream.resume();
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#parts.stream.write(bytes);
  }

  resize(size: TerminalSize): Promise<void> {
    return this.#resizer.resize(size);
  }

  /** The daemon has no call for it. */
  async sendBreak(): Promise<null> {
    return null;
  }

  release(): Promise<ReleaseReport> {
    this.#release ??= this.#end();
    return this.#release;
  }

  async #end(): Promise<ReleaseReport> {
    const { client, identity, stream } = this.#parts;
    stream.letGo();
    const report = await releaseProgram(client, identity);
    await settledWithin(this.ended, DRAIN_DEADLINE_MS);
    stream.destroy();
    await this.ended;
    return report;
  }

  /** A daemon tells nobody of the end of such a program but by its stream, which does not end while it is not read. */
  async #watch(): Promise<Outcome> {
    const { stream } = this.#parts;
    await Promise.race([stream.closed, this.#endedUnread.promise]);
    this.#hasEnded = true;
    this.#lookNoMore();
    await stream.finish(DRAIN_DEADLINE_MS);
    return this.#decide();
  }

  #lookLater(): void {
    const timer = setTimeout(async () => {
      if (await this.#hasProgramEnded()) this.#endedUnread.resolve();
      else if (this.#nextLook === timer) this.#lookLater();
    }, LOOK_MS);
    this.#nextLook = timer.unref();
  }

  #lookNoMore(): void {
    clearTimeout(this.#nextLook ?? undefined);
    this.#nextLook = null;
  }

  /** A daemon that could not be asked now is asked again; one that does not know the program any more has said it. */
  async #hasProgramEnded(): Promise<boolean> {
    const { client, identity } = this.#parts;
    return client.exec(identity.exec).then(({ Running }) => !Running, isAbsence);
  }

  async #decide(): Promise<Outcome> {
    const { client, identity } = this.#parts;
    const giveUpAt = performance.now() + LOOK_AGAIN.failingMs;
    let reason = NO_STATUS;
    for (let look = 0; look < LOOK_AGAIN.times; look++) {
      try {
        const { Running, ExitCode } = await client.exec(identity.exec);
        const code = ExitCode ?? null;
        if (!Running && code !== null && code >= 0 && code <= 255) return { kind: 'exited', code };
        reason = Running ? 'the connection to it was lost while it ran' : NO_STATUS;
      } catch (error) {
        reason = `the daemon cannot be asked any more (${error instanceof Error ? error.message.replace(/\.$/, '') : error})`;
        if (isAbsence(error) || performance.now() >= giveUpAt) break;
      }
      await delay(LOOK_AGAIN.ms);
    }
    return { kind: 'unknown', reason: `How the program ended is not known: ${reason}.` };
  }
}

/** Whether the daemon says that it knows no such program. */
function isAbsence(error: unknown): boolean {
  return error instanceof DaemonError && error.status === 404;
}
