import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Disposable } from '../../../shared/disposable.ts';
import { DRAIN_DEADLINE_MS } from '../../../shared/terminal/limits.ts';
import { type TerminalSize, terminalSizeSchema } from '../../../shared/terminal/size.ts';
import { OutputListener } from '../output-listener.ts';
import { openPty, resizePty } from './native.ts';
import { OutputReader } from './output-reader.ts';
import { WriteQueue } from './write-queue.ts';

/** Milliseconds between two looks at what a PTY still holds after its process ended. */
const DRAIN_POLL_MS = 2;

export interface PtyProcessOptions {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment: nothing of the host's is added. */
  readonly environment: Readonly<Record<string, string>>;
  readonly size: TerminalSize;
  /** How many pipes the process gets as descriptors 3, 4, … */
  readonly pipes: number;
  /**
   * Resolves when no process can write to the PTY any more. Asked once after the process ended; what the PTY gets
   * until then is still delivered. Not waited for longer than DRAIN_DEADLINE_MS.
   */
  readonly writersGone: () => Promise<void>;
}

/** As waitpid reports it: exactly one of the two is set, or neither when the process could not be started. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: Error;
}

/**
 * A process with the slave of a new PTY as descriptors 1 and 2, in its own session, and the host's end of that PTY.
 *
 * Descriptor 0 is /dev/null, not the slave, and the process gets no controlling terminal: bash, run as a session
 * leader, would otherwise take the PTY as its own, and the sandboxed program could not have it.
 *
 * The host holds the slave open as well. So the PTY never hangs up while bytes are unread, and a program's last
 * output is never lost (ST-21).
 */
export class PtyProcess {
  readonly pid: number | null;
  /** The process's descriptors 3, 4, … */
  readonly pipes: readonly Duplex[];
  /** When the process was reaped; output may still follow. */
  readonly exited: Promise<ProcessExit>;
  /** After the last output byte was delivered. The PTY is closed then. */
  readonly ended: Promise<ProcessExit>;

  readonly #child: ChildProcess;
  readonly #master: number;
  readonly #slave: number;
  readonly #reader: OutputReader;
  readonly #writes: WriteQueue;
  readonly #output = new OutputListener(() => this.#applyFlow());
  #draining = false;
  #open = true;

  /**
   * Throws when no PTY can be had or the arguments cannot be passed on. A program that cannot be started is an
   * `exited` with an error.
   */
  constructor(options: PtyProcessOptions) {
    const { master, slave, slavePath } = openPty(terminalSizeSchema.parse(options.size));
    try {
      // Not node-pty's own slave: that one is non-blocking, and the flag would be the program's too.
      this.#slave = openSync(slavePath, constants.O_RDWR | constants.O_NOCTTY);
    } catch (error) {
      closeSync(master);
      throw error;
    } finally {
      closeSync(slave);
    }
    this.#master = master;
    this.#reader = new OutputReader(master, (chunk) => this.#output.deliver(chunk));
    this.#writes = new WriteQueue(master);

    const child = this.#spawn(options);
    this.#child = child;
    this.pid = child.pid ?? null;
    // There are none when the host has no descriptor left for them; the error event says so.
    this.pipes = (child.stdio ?? []).slice(3).filter((pipe) => pipe !== null) as Duplex[];
    // A process that ends early closes its end; that is no error of the host's.
    for (const pipe of this.pipes) pipe.on('error', () => {});
    this.exited = exitOf(child);
    this.ended = this.exited.then(async (exit) => {
      await this.#drain(options.writersGone());
      this.#close();
      return exit;
    });
  }

  /** A descriptor of the slave, for programs that ask for its modes. Invalid after `ended`; null then. */
  get slaveDescriptor(): number | null {
    return this.#open ? this.#slave : null;
  }

  /** Output of a process that ended before anybody listened: at most what a PTY holds. The listener gets it first. */
  get unheard(): readonly Uint8Array[] {
    return this.#output.unheard;
  }

  /** One listener. Reading starts with the first. */
  onOutput(listener: (bytes: Uint8Array) => void): Disposable {
    return this.#output.set(listener);
  }

  pause(): void {
    this.#output.pause();
  }

  resume(): void {
    this.#output.resume();
  }

  /** Resolves when the PTY has the bytes, in call order; rejects after the end or above INPUT_QUEUE_MAX_BYTES. */
  write(bytes: Uint8Array): Promise<void> {
    return this.#writes.write(bytes);
  }

  /** Throws RangeError on an impossible size; after the end it does nothing (B04). */
  resize(size: TerminalSize): void {
    const valid = terminalSizeSchema.safeParse(size);
    if (!valid.success) throw new RangeError(`${size.cols}x${size.rows} is not a terminal size`);
    if (this.#open) resizePty(this.#master, valid.data);
  }

  /** Signals it and nothing else, without looking: until it is reaped nothing has its number (ST-25). False after that. */
  signal(signal: NodeJS.Signals): boolean {
    return this.#child.kill(signal);
  }

  /** Ends it with the processes it has started, but for those that went into a session of their own. False once it was reaped. */
  killGroup(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return false;
    return process.kill(-pid, 'SIGKILL');
  }

  #spawn({ file, args, environment, pipes }: PtyProcessOptions): ChildProcess {
    try {
      return spawn(file, [...args], {
        env: environment,
        cwd: '/',
        detached: true,
        stdio: ['ignore', this.#slave, this.#slave, ...new Array<'pipe'>(pipes).fill('pipe')],
      });
    } catch (error) {
      // Arguments that are too long, for example; most failures are an event instead.
      this.#reader.close();
      closeSync(this.#slave);
      throw error;
    }
  }

  #applyFlow(): void {
    if (this.#draining) return;
    if (this.#output.isReady) this.#reader.resume();
    else this.#reader.pause();
  }

  async #drain(writersGone: Promise<void>): Promise<void> {
    this.#draining = true;
    this.#reader.pause();
    const deadline = performance.now() + DRAIN_DEADLINE_MS;
    let quiet = false;
    const watched = writersGone.then(
      () => {
        quiet = true;
      },
      () => {},
    );
    while (performance.now() < deadline) {
      // Asked before reading: only an empty PTY that was quiet already is at its end.
      const wasQuiet = quiet;
      const empty = this.#reader.drainStep();
      if (wasQuiet && empty) return;
      if (empty) await Promise.race([watched, delay(DRAIN_POLL_MS)]);
      else await delay(0);
    }
    this.#reader.drainStep();
  }

  #close(): void {
    this.#open = false;
    this.#writes.close(new Error('The terminal has ended.'));
    this.#reader.close();
    closeSync(this.#slave);
    for (const pipe of this.pipes) pipe.destroy();
  }
}

function exitOf(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, error });
    });
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}
