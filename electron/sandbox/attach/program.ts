import { randomUUID } from 'node:crypto';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { openStream } from '../docker/attach-stream.ts';
import { CALL_MS, type DockerClient } from '../docker/client.ts';
import { Gate } from '../docker/gate.ts';
import { inTime, LATE_ANSWER_MS } from '../docker/late-answer.ts';
import { TerminalStream } from '../docker/terminal-stream.ts';
import { EngineError, type SandboxSpec } from '../engine.ts';
import { endProcesses, KILLED_MS, lookUntilNone, MARK_VARIABLE, type MarkedProgram } from './processes.ts';

/**
 * Keys that end Docker's side of the connection. It takes no "none" for a program in a container, and only keys of ASCII; and
 * it holds a first one back until the next. So a typed Ctrl-^ is late by one key; what would have to follow is not typed.
 */
const DOCKER_DETACH_KEYS = ['ctrl-^', 'ctrl-\\', 'ctrl-^', 'ctrl-_', 'ctrl-^', 'ctrl-\\'].join(',');

/** A program that was started in a container of somebody else's. */
export interface StartedProgram extends MarkedProgram {
  readonly exec: string;
  readonly stream: TerminalStream;
}

/**
 * Starts the profile's program in a running container, behind a gate: the size is set before it begins, on every daemon. Rejects
 * with EngineError or DaemonError; what was started has been ended by then, or is as soon as the daemon says that it was.
 */
export async function startProgram(
  client: DockerClient,
  container: string,
  spec: SandboxSpec,
  size: TerminalSize,
  signal: AbortSignal,
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
  const wanted = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS.start)]);
  let program: MarkedProgram = { container, mark };
  const end = async () => {
    await endProcesses(client, program, 'KILL');
    await lookUntilNone(client, program, KILLED_MS);
  };
  const begin = async (): Promise<TerminalStream> => {
    const stream = await startExec(client, exec);
    try {
      await gate.open(stream, command, {
        resize: () => client.resizeExec(exec, size),
        check: ({ startTime }) => {
          if (startTime !== '-') program = { ...program, startTime };
          wanted.throwIfAborted();
        },
      });
      signal.throwIfAborted();
      return stream;
    } catch (error) {
      stream.destroy();
      // The waiting shell too: daemons do not end it with its connection, and say that it runs before it does.
      await end();
      throw error instanceof EngineError ? explained(error) : error;
    }
  };
  const undo = (stream: TerminalStream) => {
    stream.destroy();
    return end();
  };
  const { address } = client.endpoint;
  const stream = await inTime(begin(), { limitMs: CALL_MS.start, what: START, address, undo });
  return { ...program, exec, stream };
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
