import { RELEASE } from '../../../shared/terminal/limits.ts';
import type { ReleaseReport } from '../../../shared/terminal/outcome.ts';
import type { DockerClient } from '../docker/client.ts';
import { LABELS } from '../docker/labels.ts';
import type { SandboxIdentity } from '../engine.ts';
import { settledWithin } from '../wait.ts';

type ContainerIdentity = Extract<SandboxIdentity, { kind: 'container' }>;

/** Milliseconds between the end of everything by SIGKILL and the last of its output. */
const KILLED_MS = 3_000;

/** What the program is asked with, then made to end with, and the milliseconds that each has. */
const SIGNALS = [
  ['SIGHUP', RELEASE.hangupGraceMs],
  ['SIGTERM', RELEASE.terminateGraceMs],
  ['SIGKILL', KILLED_MS],
] as const;

/**
 * The ordered release (ST-24): the program is asked, then killed, and every process of the container with it; the daemon
 * removes the container by force, and must say that there is none any more. A container that is not the session's is left alone (ST-25).
 */
export async function releaseContainer(
  client: DockerClient,
  identity: ContainerIdentity,
  ended: Promise<unknown>,
): Promise<ReleaseReport> {
  const steps: ReleaseReport['steps'] = [];
  for (const [signal, graceMs] of SIGNALS) {
    if (await settledWithin(ended, 0)) break;
    const sent = await client.kill(identity.id, signal).then(
      () => 'sent',
      (error: unknown) => messageOf(error),
    );
    steps.push({ step: signal, detail: sent });
    // Also after a refusal: a container that has just ended takes no signal, and its exit status goes with it.
    if (await settledWithin(ended, graceMs)) break;
  }
  try {
    const removal = await removeContainer(client, identity);
    steps.push({ step: 'removed', detail: removal });
    if (removal === 'mismatch') return { removed: false, steps, reason: notOurs(identity) };
    return { removed: true, steps };
  } catch (error) {
    return {
      removed: false,
      steps,
      reason: `Container ${identity.id} may still be there: ${messageOf(error)}`,
    };
  }
}

/**
 * Removes exactly the container of the identity: its id, with the label of its session. Resolves when the daemon says that
 * there is none; rejects with DaemonError.
 */
export async function removeContainer(
  client: DockerClient,
  identity: ContainerIdentity,
): Promise<'absent' | 'removed' | 'mismatch'> {
  const facts = await client.container(identity.id);
  if (facts === null) return 'absent';
  if (facts.Id !== identity.id || facts.Config.Labels?.[LABELS.session] !== identity.session)
    return 'mismatch';
  await client.remove(identity.id);
  if ((await client.container(identity.id)) === null) return 'removed';
  throw new Error('the daemon still lists it after its removal.');
}

export function notOurs({ id }: ContainerIdentity): string {
  return `Container ${id} does not have the label of this session; it was left alone.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
