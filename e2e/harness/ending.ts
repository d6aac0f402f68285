import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { QUIT_DEADLINE_MS } from '../../shared/terminal/limits.ts';

/** Milliseconds after which a host that was told to end hangs: more than it gives itself. */
const STOP_MS = QUIT_DEADLINE_MS + 10_000;

/** Ends a host as the system does. Resolves with its exit code; rejects, with what it `said`, when it had to be killed. */
export async function endHost(
  host: ChildProcess,
  said: () => string,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<number | null> {
  if (host.exitCode !== null || host.signalCode !== null) return host.exitCode;
  const exited = once(host, 'exit', { signal: AbortSignal.timeout(STOP_MS) });
  host.kill(signal);
  try {
    const [code] = await exited;
    return code as number | null;
  } catch {
    host.kill('SIGKILL');
    throw new Error(`The host did not end within ${STOP_MS} ms of ${signal}. It said:\n${said()}`);
  }
}
