import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs a program in the foreground and ends this process as it ended. Ctrl-C reaches the program through the
 * terminal; other ending signals are passed on. Either way its orderly end is waited for.
 */
export function runInForeground(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): void {
  const child = spawn(program, args, { stdio: 'inherit', env });
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`${program} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
}
