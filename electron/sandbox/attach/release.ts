import { RELEASE } from '../../../shared/terminal/limits.ts';
import type { ReleaseReport } from '../../../shared/terminal/outcome.ts';
import type { DockerClient } from '../docker/client.ts';
import type { SandboxIdentity } from '../engine.ts';
import { settledWithin } from '../wait.ts';
import { endProcesses } from './program.ts';

type ProgramIdentity = Extract<SandboxIdentity, { kind: 'program' }>;

/** Milliseconds between SIGKILL and the look at whether anything is left. */
const KILLED_MS = 500;

const SIGNALS = [
  ['HUP', RELEASE.hangupGraceMs],
  ['TERM', RELEASE.terminateGraceMs],
  ['KILL', KILLED_MS],
] as const;

/**
 * Ends what was started in the container, and nothing else of it: every process with the session's mark, however it left its
 * terminal. The container and what ran in it before are left as they are. What cannot be confirmed is said (ST-25).
 */
export async function releaseProgram(
  client: DockerClient,
  identity: ProgramIdentity,
  ended: Promise<unknown>,
): Promise<ReleaseReport> {
  const steps: ReleaseReport['steps'] = [];
  const { container, mark } = identity;
  try {
    const facts = await client.container(container);
    if (facts === null || !facts.State.Running) {
      steps.push({ step: 'the container has ended', detail: 'and everything in it' });
      return { removed: true, steps };
    }
    for (const [signal, graceMs] of SIGNALS) {
      const count = await endProcesses(client, container, mark, signal);
      if (count === null) return { removed: false, steps, reason: unconfirmed(identity) };
      if (count === 0) break;
      steps.push({ step: `SIG${signal}`, detail: `${count} processes` });
      await settledWithin(ended, graceMs);
    }
    const left = await endProcesses(client, container, mark, null);
    if (left === 0) return { removed: true, steps: [...steps, { step: 'no process is left' }] };
    return {
      removed: false,
      steps,
      reason:
        left === null
          ? unconfirmed(identity)
          : `${left} processes that were started in the container still run.`,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { removed: false, steps, reason: `What was started in the container may still run: ${why}` };
  }
}

function unconfirmed({ container }: ProgramIdentity): string {
  return `Whether anything of the session is left in container ${container.slice(0, 12)} cannot be told: it has no sh and grep to look with.`;
}
