import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { SHARED_COMPILE_CACHE } from '../../e2e/harness/built.ts';
import { ROOT } from '../root.ts';

/** Runs a program of node_modules/.bin from the top folder with inherited output; resolves to its exit code. */
export async function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...SHARED_COMPILE_CACHE, ...env },
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 128));
  });
}

export function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

/** Removes an earlier run's report, so that a runner that dies before writing one is not taken for a success. */
export async function removeReport(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** A runner's JSON report, or null when it left none that can be read. */
export async function readReport<T>(path: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    return null;
  }
}
