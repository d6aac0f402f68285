import { randomUUID } from 'node:crypto';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { openStream } from '../docker/attach-stream.ts';
import { CALL_MS, type DockerClient } from '../docker/client.ts';
import { Gate } from '../docker/gate.ts';
import { inTime, LATE_ANSWER_MS } from '../docker/late-answer.ts';
import { TerminalStream } from '../docker/terminal-stream.ts';
import { EngineError, type SandboxSpec } from '../engine.ts';

/** In the environment of everything that is started, so that it can be found again among somebody else's processes. */
const MARK_VARIABLE = 'AIRLOCK_SESSION';

/**
 * Keys that end Docker's side of the connection. It takes no "none" for a program in a container, and only keys of ASCII; and
 * it holds a first one back until the next. So a typed Ctrl-^ is late by one key; what would have to follow is not typed.
 */
const DOCKER_DETACH_KEYS = ['ctrl-^', 'ctrl-\\', 'ctrl-^', 'ctrl-_', 'ctrl-^', 'ctrl-\\'].join(',');

/** A program that was started in a container of somebody else's. */
export interface StartedProgram {
  readonly exec: string;
  readonly mark: string;
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
  const end = () => endProcesses(client, container, mark, 'KILL').catch(() => null);
  const begin = async (): Promise<TerminalStream> => {
    const stream = await startExec(client, exec);
    try {
      await gate.open(stream, command, {
        resize: () => client.resizeExec(exec, size),
        check: () => wanted.throwIfAborted(),
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
  return { exec, mark, stream };
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

/**
 * Signals every process of the container that has the mark, and resolves with how many there were; null where that cannot be
 * found out: it takes the container's own shell and grep, and a process that hides its environment is not seen.
 */
export async function endProcesses(
  client: DockerClient,
  container: string,
  mark: string,
  signal: 'HUP' | 'TERM' | 'KILL' | null,
): Promise<number | null> {
  const found = `/proc/[0-9]*/environ`;
  const act = signal === null ? ':' : `kill -${signal} "$p" 2>/dev/null; kill -CONT "$p" 2>/dev/null`;
  // The last line tells that it was read to the end. Its own processes do not have the mark.
  const script = `grep -V >/dev/null 2>&1 || grep --help >/dev/null 2>&1 || exit 9
n=0
for f in ${found}; do
  grep -qs "${MARK_VARIABLE}=${mark}" "$f" || continue
  p=\${f#/proc/}; p=\${p%/environ}
  case $(cat /proc/$p/stat 2>/dev/null) in *') Z '*) continue ;; esac
  n=$((n + 1)); ${act}
done
echo "found $n processes"`;
  const output = await runQuietly(client, container, ['/bin/sh', '-c', script]);
  const count = /found (\d+) processes\r?\n$/.exec(output)?.[1];
  return count === undefined ? null : Number(count);
}

/** Milliseconds for a helper in the container, and the bytes that are read of it. */
const HELPER_MS = 4_000;
const HELPER_MAX_BYTES = 8_192;

/** The output of a short program in the container, whatever came of it. With a terminal, so that nothing is framed (B07). */
async function runQuietly(
  client: DockerClient,
  container: string,
  command: readonly string[],
): Promise<string> {
  const signal = AbortSignal.timeout(HELPER_MS);
  const exec = await client.createExec(container, { AttachStdout: true, Tty: true, Cmd: command }, signal);
  const path = `/v${client.daemon.api}/exec/${exec}/start`;
  const body = { Detach: false, Tty: true };
  const raw = await openStream({ endpoint: client.endpoint, path, body, what: 'look for processes', signal });
  const stream = new TerminalStream(raw);
  let output = '';
  stream.onOutput((bytes) => {
    if (output.length < HELPER_MAX_BYTES) output += Buffer.from(bytes).toString('utf8');
  });
  await stream.finish(HELPER_MS);
  return output;
}
