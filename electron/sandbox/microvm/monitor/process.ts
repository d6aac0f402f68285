import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { EngineError } from '../../engine.ts';
import { closeAbove } from '../../inherited-descriptors.ts';
import { identify, type ProcessIdentity } from '../../process-identity.ts';
import { settledWithin } from '../../wait.ts';

/** Bytes kept of what the monitor and the machine's console said last. */
const WORDS_MAX_BYTES = 4_096;

/** Who a monitor is when the host is root: nobody. */
export const NOBODY = 65_534;

export const SETPRIV = '/usr/bin/setpriv';

const BASH = '/bin/bash';

export interface MonitorOptions {
  readonly program: string;
  readonly args: readonly string[];
  /** Its working directory. */
  readonly folder: string;
  /** Descriptors from 3 on: of a file of the host, or a new pipe in both directions. */
  readonly descriptors: readonly (number | 'pipe')[];
  /** Group of a device that it has to open, when the host is root. */
  readonly group?: number;
}

/**
 * The process of a monitor: no environment, no inherited descriptor but those named, no way to more privileges, and as root
 * another user without capabilities. It dies with the host (parent-death signal of this thread).
 */
export class MonitorProcess {
  readonly identity: ProcessIdentity;
  readonly pipes: readonly Duplex[];
  /** When it was reaped. */
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  #words = Buffer.alloc(0);

  /** Rejects with EngineError when it cannot be started. */
  static async start({ program, args, folder, descriptors, group }: MonitorOptions): Promise<MonitorProcess> {
    const script = `${closeAbove(2 + descriptors.length)}\nexec -c "$@"`;
    const command = [SETPRIV, ...privileges(group), '--', program, ...args];
    const child = spawn(BASH, ['--norc', '--noprofile', '-c', script, 'airlock-launcher', ...command], {
      cwd: folder,
      env: {},
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
    });
    try {
      await once(child, 'spawn');
      return new MonitorProcess(child);
    } catch (error) {
      child.kill('SIGKILL');
      for (const pipe of child.stdio ?? []) pipe?.destroy();
      throw new EngineError(
        'engine-unavailable',
        `${BASH} could not be started: ${(error as Error).message}`,
      );
    }
  }

  private constructor(child: ChildProcess) {
    const identity = child.pid === undefined ? null : identify(child.pid);
    if (identity === null) throw new Error('it ended at once');
    this.identity = identity;
    this.#child = child;
    child.on('error', () => {});
    this.exited = new Promise((resolve) => child.once('exit', () => resolve()));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('error', () => {});
      stream?.on('data', (chunk: Buffer) => {
        this.#words = Buffer.concat([this.#words, chunk]).subarray(-WORDS_MAX_BYTES);
      });
    }
    this.pipes = child.stdio.slice(3).filter((pipe) => pipe !== null) as Duplex[];
  }

  /** False once it was reaped. Nothing has its number before that. */
  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** How it ended and what it said last, on one bounded line without controls. */
  inWords(): string {
    const { exitCode, signalCode } = this.#child;
    const how = signalCode
      ? `was ended by ${signalCode}`
      : exitCode === null
        ? 'runs'
        : `ended with code ${exitCode}`;
    const words = this.#words
      .toString('latin1')
      .replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '')
      .replace(/[^ -~]+/g, ' ')
      .trim()
      .slice(-300);
    return `the monitor ${how}${words === '' ? '' : `; last words: ${words}`}`;
  }

  /** Kills it, and nothing else (ST-25). Resolves to whether it is gone. */
  async kill(limitMs: number): Promise<boolean> {
    this.#child.kill('SIGKILL');
    return settledWithin(this.exited, limitMs);
  }
}

function privileges(group: number | undefined): string[] {
  const always = ['--pdeathsig', 'KILL', '--no-new-privs'];
  if (process.getuid?.() !== 0) return always;
  return [
    ...always,
    ...['--reuid', String(NOBODY), '--regid', String(NOBODY)],
    ...(group === undefined ? ['--clear-groups'] : ['--groups', String(group)]),
    ...['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all'],
  ];
}

/** Whether a monitor may use a device: it is no root even where the host is. With the group that it needs for that. */
export function deviceAccess(path: string): { readonly usable: boolean; readonly group?: number } {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { usable: false };
  const may = (shift: number) => ((stats.mode >> shift) & 0o6) === 0o6;
  if (may(0)) return { usable: true };
  if (process.getuid?.() === 0) return may(3) ? { usable: true, group: stats.gid } : { usable: false };
  const own = stats.uid === process.getuid?.() && may(6);
  return { usable: own || (may(3) && (process.getgroups?.() ?? []).includes(stats.gid)) };
}
