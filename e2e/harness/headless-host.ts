import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DIST, SHARED_COMPILE_CACHE } from './built.ts';

/** How long a host may take to listen and to release everything, milliseconds. */
const START_MS = 15_000;
const STOP_MS = 20_000;

export interface HeadlessHost {
  readonly pid: number;
  /** The launch address: that of the approval page, which passes on to `origin`; its fragment holds the one-time token. */
  readonly address: string;
  /** Origin of the main page. */
  readonly origin: string;
  readonly process: ChildProcess;
  /** Everything the host said on stderr so far. */
  stderr(): string;
  /** Sends `signal` and resolves with the exit code; rejects when the host does not end in time. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the built `airlock serve` on a free port of loopback and resolves when it listens. */
export async function startHeadlessHost(options: {
  dataDir: string;
  environment?: Record<string, string>;
  /** Of `airlock serve` by name, besides those that every test needs. */
  options?: Readonly<Record<string, string>>;
}): Promise<HeadlessHost> {
  const cli = join(DIST, 'electron/cli.js');
  const child = spawn(
    process.execPath,
    [
      cli,
      ...['serve', '--json', '--no-open', '--port', '0', '--data-dir', options.dataDir],
      ...Object.entries(options.options ?? {}).flatMap(([name, value]) => [`--${name}`, value]),
    ],
    {
      env: { ...process.env, ...SHARED_COMPILE_CACHE, ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);

  const stop = async (signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const code = await within(STOP_MS, exited);
    if (code !== 'late') return code;
    child.kill('SIGKILL');
    throw new Error(`The host did not end within ${STOP_MS} ms of ${signal}. It said:\n${stderr}`);
  };

  const firstLine = once(createInterface(child.stdout), 'line').then(([line]) => line as string);
  const line = await within(START_MS, Promise.race([firstLine, exited]));
  if (typeof line !== 'string' || line === 'late') {
    child.kill('SIGKILL');
    throw new Error(`The host did not start. It said:\n${stderr}`);
  }
  const { address, pid, port } = JSON.parse(line) as { address: string; pid: number; port: number };
  const origin = `http://127.0.0.1:${port}`;
  return { pid, address, origin, process: child, stderr: () => stderr, stop };
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
