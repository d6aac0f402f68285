import { setTimeout as delay } from 'node:timers/promises';
import { RELEASE } from '../../../shared/terminal/limits.ts';
import type { ReleaseReport } from '../../../shared/terminal/outcome.ts';
import type { DockerClient } from '../docker/client.ts';
import {
  endProcesses,
  isNone,
  KILLED_MS,
  leftInWords,
  lookUntilNone,
  type ProgramIdentity,
} from './processes.ts';

const SIGNALS = [
  ['HUP', RELEASE.hangupGraceMs],
  ['TERM', RELEASE.terminateGraceMs],
  ['KILL', KILLED_MS],
] as const;

/**
 * Ends what was started in the container, and nothing else of it: every process with the session's mark, however it left its
 * terminal, each signal with its grace (ST-24). The container and what ran in it before are left as they are. What cannot be
 * confirmed is said (ST-25).
 */
export async function releaseProgram(
  client: DockerClient,
  identity: ProgramIdentity,
): Promise<ReleaseReport> {
  const steps: ReleaseReport['steps'] = [];
  try {
    const facts = await client.container(identity.container);
    if (facts === null || !facts.State.Running) {
      steps.push({ step: 'the container has ended', detail: 'and everything in it' });
      return { removed: true, steps };
    }
    let isClear = true;
    for (const [signal, graceMs] of SIGNALS) {
      // Whom a look did not reach in time is not asked again, but killed: there is no time for both.
      if (signal === 'TERM' && !isClear) continue;
      const look = await endProcesses(client, identity, signal);
      if (isNone(look)) break;
      steps.push({
        step: `SIG${signal}`,
        detail: look.count === null ? look.why : `${look.count} processes`,
      });
      isClear = look.count !== null;
      if (!isClear) await delay(graceMs);
      else if (isNone(await lookUntilNone(client, identity, graceMs))) break;
    }
    // Processes that others begin cannot be looked at for a moment.
    const left = await lookUntilNone(client, identity, KILLED_MS);
    if (isNone(left)) return { removed: true, steps: [...steps, { step: 'no process is left' }] };
    return { removed: false, steps, reason: leftInWords(left, identity) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { removed: false, steps, reason: `What was started in the container may still run: ${why}` };
  }
}
