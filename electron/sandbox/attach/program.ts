import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
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
  const end = async () => {
    await endProcesses(client, container, mark, 'KILL');
    await noneLeft(client, container, mark, KILLED_MS);
  };
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

/** How many processes were found, or why that cannot be told. */
export type Look = { readonly count: number } | { readonly count: null; readonly why: string };

/**
 * Signals every process of the container that has the mark. Never rejects. It takes the container's own shell and grep, and a
 * process that hides its environment is not seen.
 */
export async function endProcesses(
  client: DockerClient,
  container: string,
  mark: string,
  signal: 'HUP' | 'TERM' | 'KILL' | null,
): Promise<Look> {
  const marked = `"${MARK_VARIABLE}=${mark}"`;
  const act = signal === null ? ':' : `kill -${signal} "$p" 2>/dev/null; kill -CONT "$p" 2>/dev/null`;
  // One grep for all that run there, and one more for each that is found: its number can be another's by then. More than 2 is no
  // answer of grep's, but that it could not be started. The last line tells that everything was read. Its own processes do not
  // have the mark.
  const script = `grep -V >/dev/null 2>&1 || grep --help >/dev/null 2>&1 || { echo "${NO_GREP}"; exit; }
n=0
all=$(grep -ls ${marked} /proc/[0-9]*/environ)
[ $? -le 2 ] || exit
for f in $all; do
  grep -qs ${marked} "$f" || { [ $? -le 2 ] && continue; exit; }
  p=\${f#/proc/}; p=\${p%/environ}
  case $(cat /proc/$p/stat 2>/dev/null) in *') Z '*) continue ;; esac
  n=$((n + 1)); ${act}
done
echo "found $n processes"`;
  const output = await runQuietly(client, container, ['/bin/sh', '-c', script]).catch(wordsOf);
  if (typeof output !== 'string') return output;
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  if (last === NO_GREP) return { count: null, why: 'it has no grep to look with' };
  const count = /^found (\d+) processes$/.exec(last)?.[1];
  return count === undefined ? UNFINISHED : { count: Number(count) };
}

const NO_GREP = 'found no grep';

const UNFINISHED: Look = { count: null, why: 'the look at its processes did not finish' };

function wordsOf(error: unknown): Look {
  if (!(error instanceof Error) || error.name === 'TimeoutError') return UNFINISHED;
  return { count: null, why: error.message };
}

/** Milliseconds that what was killed has for its end. */
export const KILLED_MS = 500;

/** Milliseconds between two looks at whether any is left. */
const LOOK_MS = 50;

/** Whether none was left within a grace. The end of the terminal tells nothing: others may have left it, or outlive it. */
export async function noneLeft(
  client: DockerClient,
  container: string,
  mark: string,
  graceMs: number,
): Promise<boolean> {
  const until = performance.now() + graceMs;
  while ((await endProcesses(client, container, mark, null)).count !== 0) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) return false;
    await delay(Math.min(LOOK_MS, leftMs));
  }
  return true;
}

/** Milliseconds for a helper in the container, and the bytes that are read of it. */
const HELPER_MS = 4_000;
const HELPER_MAX_BYTES = 8_192;

/** The output of a short program in the container, as far as it came in time. With a terminal, so that nothing is framed (B07). */
async function runQuietly(
  client: DockerClient,
  container: string,
  command: readonly string[],
): Promise<string> {
  const signal = AbortSignal.timeout(HELPER_MS);
  const until = performance.now() + HELPER_MS;
  const exec = await client.createExec(container, { AttachStdout: true, Tty: true, Cmd: command }, signal);
  const path = `/v${client.daemon.api}/exec/${exec}/start`;
  const body = { Detach: false, Tty: true };
  const raw = await openStream({ endpoint: client.endpoint, path, body, what: 'look for processes', signal });
  const stream = new TerminalStream(raw);
  let output = '';
  stream.onOutput((bytes) => {
    if (output.length < HELPER_MAX_BYTES) output += Buffer.from(bytes).toString('utf8');
  });
  await stream.finish(until - performance.now());
  return output;
}
