import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DIST, SHARED_COMPILE_CACHE } from './built.ts';
import { endHost } from './ending.ts';

/** Milliseconds after which a host that does not listen yet hangs. */
const START_MS = 60_000;

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
  const firstLine = once(createInterface(child.stdout), 'line', { signal: AbortSignal.timeout(START_MS) });
  const ended = once(child, 'exit').then(() => [null]);
  const [line] = (await Promise.race([firstLine, ended]).catch(() => [null])) as [string | null];
  if (line === null) {
    child.kill('SIGKILL');
    throw new Error(`The host did not start. It said:\n${stderr}`);
  }
  const { address, pid, port } = JSON.parse(line) as { address: string; pid: number; port: number };
  return {
    pid,
    address,
    origin: `http://127.0.0.1:${port}`,
    process: child,
    stderr: () => stderr,
    stop: (signal = 'SIGINT') => endHost(child, () => stderr, signal),
  };
}
