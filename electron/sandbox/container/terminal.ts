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
import type { OutFolder, SandboxIdentity, SandboxTerminal } from '../engine.ts';
import { settledWithin } from '../wait.ts';
import { outcomeOf, unknown } from './outcome.ts';
import { releaseContainer } from './release.ts';

/**
 * Milliseconds between looks at a container that has no exit code yet, and how many there are; and the milliseconds after which
 * one that fails is the last.
 */
const LOOK_AGAIN = { ms: 100, times: 20, failingMs: 2_000 } as const;

/** Milliseconds until a daemon that broke its answer off is asked again whether a container has ended. */
const WAIT_AGAIN_MS = 1_000;

const NO_STATUS = 'the daemon has no exit status for it';

export interface ContainerParts {
  readonly client: DockerClient;
  readonly identity: Extract<SandboxIdentity, { kind: 'container' }>;
  readonly stream: TerminalStream;
  readonly posture: SandboxPosture;
  /** Path of the folder of the host that is /out; null where there is none. */
  readonly out: string | null;
  /** Takes what belongs to the container away from the host, after its removal. Resolves with what is left, in words, or null. */
  readonly removeFiles: () => Promise<string | null>;
}

/** One container that runs, and the host's end of its terminal. */
export class ContainerTerminal implements SandboxTerminal {
  readonly identity: SandboxIdentity;
  readonly posture: SandboxPosture;
  readonly outFolder: OutFolder | null;
  readonly ended: Promise<Outcome>;
  readonly #parts: ContainerParts;
  readonly #resizer: TerminalResizer;
  readonly #waiting = new AbortController();
  #hasEnded = false;
  #release: Promise<ReleaseReport> | null = null;

  constructor(parts: ContainerParts) {
    this.#parts = parts;
    this.identity = parts.identity;
    this.posture = parts.posture;
    const { out } = parts;
    this.outFolder = out === null ? null : { path: out, isStillThere: () => this.#release === null };
    this.ended = this.#watch();
    const { client, identity } = parts;
    this.#resizer = new TerminalResizer({
      ask: async (size) => {
        if (!this.#hasEnded) await client.resize(identity.id, size);
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
  }

  resume(): void {
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
    const { client, identity, stream, removeFiles } = this.#parts;
    stream.letGo();
    const report = await releaseContainer(client, identity, this.ended);
    this.#waiting.abort(new Error('the container was removed'));
    stream.destroy();
    await this.ended;
    const left = report.removed ? await removeFiles() : null;
    return left === null ? report : { ...report, removed: false, reason: left };
  }

  /**
   * Learns of the end by the daemon's word, or by the end of the stream, whichever comes first: a stream that nobody reads
   * does not end, and a daemon that cannot be asked says nothing.
   */
  async #watch(): Promise<Outcome> {
    const { stream } = this.#parts;
    const waiting = this.#waitForEnd();
    await Promise.race([waiting, stream.closed]);
    await stream.finish(DRAIN_DEADLINE_MS);
    await settledWithin(waiting, DRAIN_DEADLINE_MS);
    this.#waiting.abort(new Error('it did not tell'));
    const { code, failure } = await waiting;
    const outcome = await this.#decide(code, failure);
    this.#hasEnded = true;
    return outcome;
  }

  /**
   * The daemon's word for it. A call that fails is none while the stream is open: what is between cuts connections on which
   * nothing comes. Only a container that is gone has ended.
   */
  async #waitForEnd(): Promise<{ readonly code: number | null; readonly failure: string | null }> {
    const { client, identity, stream } = this.#parts;
    for (;;) {
      try {
        return { code: await client.wait(identity.id, this.#waiting.signal), failure: null };
      } catch (error) {
        const isGone = error instanceof DaemonError && error.status === 404;
        if (isGone || (await settledWithin(stream.closed, WAIT_AGAIN_MS)))
          return { code: null, failure: messageOf(error) };
      }
    }
  }

  /** A daemon that could not be asked now is asked again, for as long as the release of one that is gone may take. */
  async #decide(waited: number | null, waitFailure: string | null): Promise<Outcome> {
    const { client, identity } = this.#parts;
    const giveUpAt = performance.now() + LOOK_AGAIN.failingMs;
    let reason = NO_STATUS;
    for (let look = 0; look < LOOK_AGAIN.times; look++) {
      try {
        const facts = await client.container(identity.id);
        const outcome = outcomeOf({ waited, waitFailure, state: facts?.State ?? null });
        if (outcome !== null) return outcome;
        reason = NO_STATUS;
      } catch (error) {
        reason = `the daemon cannot be asked any more (${messageOf(error)})`;
        if (performance.now() >= giveUpAt) break;
      }
      await delay(LOOK_AGAIN.ms);
    }
    return unknown(reason);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
