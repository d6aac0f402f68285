import type { Outcome } from '../../../shared/terminal/outcome.ts';
import type { ContainerFacts } from '../docker/answers.ts';

/** Exit status of a program that SIGKILL ended, as an init passes it on. */
const KILLED = 137;

/** What a daemon calls a container whose exit code it knows. Podman's "stopped" may still have none, which it shows as 0. */
const ENDED: readonly unknown[] = ['exited', 'dead', 'removing'];

/** What is known when a container has ended, or seems to have. */
export interface EndFacts {
  /** The exit code that the daemon gave who waited; null where it gave none. */
  readonly waited: number | null;
  /** Why nobody waited to the end. */
  readonly waitFailure: string | null;
  /** What it says of the container now; null when there is none any more. */
  readonly state: ContainerFacts['State'] | null;
}

/**
 * How a program ended, or null while the daemon has not made up its mind: it says "not running" before it knows the code
 * (B08). Nothing is guessed (ST-22): a code counts when the container has ended and nothing contradicts it.
 */
export function outcomeOf({ waited, waitFailure, state }: EndFacts): Outcome | null {
  if (state === null) return unknown('the container was removed by somebody else');
  if (state.Running) return unknown(`the connection to it was lost while it ran${because(waitFailure)}`);
  const code = state.ExitCode ?? null;
  if (code === null || !ENDED.includes(state.Status)) return null;
  if (waited !== null && waited !== code)
    return unknown(`the daemon gave two exit statuses, ${waited} and ${code}`);
  if (state.Error) return unknown(`the daemon says: ${state.Error}`);
  if (code < 0 || code > 255) return unknown(`the daemon gave the exit status ${code}`);
  if (state.OOMKilled && code === KILLED)
    return { kind: 'signalled', signal: 9, name: 'SIGKILL, out of memory' };
  return { kind: 'exited', code };
}

export function unknown(reason: string): Outcome {
  return { kind: 'unknown', reason: `How the program ended is not known: ${reason}.` };
}

function because(failure: string | null): string {
  return failure === null ? '' : ` (${failure})`;
}
