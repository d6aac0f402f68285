import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { openStream } from '../docker/attach-stream.ts';
import { CALL_MS, type DockerClient } from '../docker/client.ts';
import { DaemonError } from '../docker/daemon-error.ts';
import { Gate } from '../docker/gate.ts';
import { inTime, LATE_ANSWER_MS } from '../docker/late-answer.ts';
import { openFailure } from '../docker/status.ts';
import { TerminalStream } from '../docker/terminal-stream.ts';
import { EngineError, type SandboxSpec } from '../engine.ts';
import {
  endProcesses,
  isNone,
  KILLED_MS,
  LOOK_MS,
  leftInWords,
  lookUntilNone,
  MARK_VARIABLE,
  type ProgramIdentity,
} from './processes.ts';

/**
 * Keys that end Docker's side of the connection. It takes no "none" for a program in a container, and only keys of ASCII; and
 * it holds a first one back until the next. So a typed Ctrl-^ is late by one key; what would have to follow is not typed.
 */
const DOCKER_DETACH_KEYS = ['ctrl-^', 'ctrl-\\', 'ctrl-^', 'ctrl-_', 'ctrl-^', 'ctrl-\\'].join(',');

/** Where the daemon may yet start it. */
export const MAY_BEGIN =
  'It was still being opened: a shell of it, "airlock-gate", may wait in its container.';

/** A program that was started in a container of somebody else's. */
export interface StartedProgram {
  readonly identity: ProgramIdentity;
  readonly stream: TerminalStream;
}

/**
 * Starts the profile's program in a running container, behind a gate: the size is set before it begins, on every daemon. The
 * daemon has `limitMs` milliseconds to start it. Rejects with DaemonError where nothing was started, else with EngineError: what was started has been ended by then, or is left.
 */
export async function startProgram(
  client: DockerClient,
  container: string,
  spec: SandboxSpec,
  size: TerminalSize,
  signal: AbortSignal,
  limitMs: number = CALL_MS.start,
): Promise<StartedProgram> {
  const { command, environment } = spec.profile;
  const mark = randomUUID();
  const gate = new Gate({ forWorker: false });
  const own = { TERM: 'xterm-256color', COLORTERM: 'truecolor', ...environment, [MARK_VARIABLE]: mark };
  const exec = await client.createExec(
    container,
    {
      ...{ AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: true },
      DetachKeys: client.daemon.product === 'Docker' ? DOCKER_DETACH_KEYS : '',
      Env: Object.entries(own).map(([name, value]) => `${name}=${value}`),
      Cmd: gate.wrap(command),
    },
    signal,
  );
  const { endpoint } = client;
  const certificates = endpoint.kind === 'tcp' ? { certificates: endpoint.certificates } : {};
  const place = { container, exec, mark, endpoint: endpoint.address, ...certificates };
  let identity: ProgramIdentity = { kind: 'program', ...place };
  const wanted = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  // What may be left, in words, or null.
  const end = async (stream: TerminalStream | null): Promise<string | null> => {
    stream?.destroy();
    // Before the gate is open only its shell runs: the daemon's word for its end is enough.
    if (!gate.isOpen && (await hasFailed(client, exec))) return null;
    await endProcesses(client, identity, 'KILL');
    const look = await lookUntilNone(client, identity, KILLED_MS);
    return isNone(look) ? null : leftInWords(look, identity);
  };
  const begin = async (): Promise<TerminalStream> => {
    let stream: TerminalStream | null = null;
    try {
      stream = await startExec(client, exec);
      await gate.open(stream, command, {
        resize: () => client.resizeExec(exec, size),
        check: ({ startTime }) => {
          if (startTime !== '-') identity = { ...identity, startTime };
          wanted.throwIfAborted();
        },
      });
      signal.throwIfAborted();
      return stream;
    } catch (error) {
      if (stream === null && isRefusal(error)) throw error;
      const left = await end(stream);
      const leftIdentity = left === null ? null : identity;
      const words = error instanceof EngineError ? explained(error) : error;
      throw openFailure(words, signal, { left, leftIdentity });
    }
  };
  const { address } = endpoint;
  const began = inTime(begin(), { limitMs, what: START, address, undo: end });
  const stream = await began.catch((error: unknown) => {
    if (error instanceof EngineError || isRefusal(error)) throw error;
    throw openFailure(error, signal, { left: MAY_BEGIN, leftIdentity: identity });
  });
  return { identity, stream };
}

/** Milliseconds that a waiting shell has to end once it was refused. */
const REFUSED_MS = 2_000;

/** Whether the daemon says of a program that it ended without success: of one that never began it has no status, or 0. */
async function hasFailed(client: DockerClient, exec: string): Promise<boolean> {
  const until = performance.now() + REFUSED_MS;
  for (;;) {
    const facts = await client.exec(exec).catch(() => null);
    if (facts?.Running === false && facts.ExitCode) return true;
    if (performance.now() >= until) return false;
    await delay(LOOK_MS);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof DaemonError && error.status !== null;
}

const START = 'start the program';

async function startExec({ endpoint, daemon }: DockerClient, exec: string): Promise<TerminalStream> {
  const path = `/v${daemon.api}/exec/${exec}/start`;
  const body = { Detach: false, Tty: true };
  return new TerminalStream(await openStream({ endpoint, path, body, what: START, limitMs: LATE_ANSWER_MS }));
}

function explained(error: EngineError): EngineError {
  return new EngineError(
    error.tag,
    `${error.message}\nA program is started in a running container with the help of its /bin/sh.`,
  );
}
