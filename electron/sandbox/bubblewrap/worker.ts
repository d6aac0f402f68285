import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { EngineError, type WorkerPart } from '../engine.ts';

/** Milliseconds for each of the small programs used here; they need about three. */
const HELPER_MS = 3_000;

/**
 * What a worker needs before its program runs: the bound on its files, which every process of the sandbox inherits, and a
 * terminal that does not echo (E14, F6). Fails closed: the waiting shim `pid` is never told to go on.
 */
export async function prepareWorker(part: WorkerPart, pid: number, slave: number | null): Promise<void> {
  await Promise.all([limitFileSize(pid, part.fileMaxBytes), switchEchoOff(slave)]);
}

async function limitFileSize(pid: number, bytes: number | null): Promise<void> {
  if (bytes === null) return;
  const options = { timeout: HELPER_MS };
  await promisify(execFile)('/usr/bin/prlimit', ['--pid', String(pid), `--fsize=${bytes}`], options);
}

/** From the host's side: in the sandbox, a program of the sandbox would have to be trusted with it. */
async function switchEchoOff(slave: number | null): Promise<void> {
  if (slave === null)
    throw new EngineError('open-failed', 'The sandbox ended before its program was started.');
  const stty = spawn('/usr/bin/stty', ['-echo'], {
    env: { LC_ALL: 'C' },
    stdio: [slave, 'ignore', 'ignore'],
    timeout: HELPER_MS,
  });
  const [code] = (await once(stty, 'exit')) as [number | null];
  if (code !== 0) throw new EngineError('open-failed', 'The echo of the terminal could not be switched off.');
}
