import { RELEASE } from '../../../shared/terminal/limits.ts';
import type { ReleaseReport } from '../../../shared/terminal/outcome.ts';
import { checkIdentity, isGone, type ProcessIdentity, signalExactly } from '../process-identity.ts';
import { settledWithin, waitUntil } from '../wait.ts';
import type { SessionGroups } from './limits/session-groups.ts';

/** What the program is asked with before it is made to end, and the milliseconds it has for each. */
const POLITE = [
  ['SIGHUP', RELEASE.hangupGraceMs],
  ['SIGTERM', RELEASE.terminateGraceMs],
] as const;

/** Everything a release has to end, by exact identity. */
export interface SandboxParts {
  /** The bwrap process: when it dies, everything in the sandbox does. */
  readonly leader: ProcessIdentity;
  /** Ends it, and nothing else: this host is its parent. False once it was reaped. */
  readonly killLeader: () => boolean;
  /** The sandbox's pid 1: gone when every process of its namespace is. */
  readonly init: ProcessIdentity;
  /** The program on the terminal. */
  readonly program: ProcessIdentity;
  readonly groups: SessionGroups;
  /** When bwrap was reaped. */
  readonly exited: Promise<unknown>;
}

/**
 * The ordered release (ST-24). The program, as the terminal's session leader, gets SIGHUP as from a terminal that
 * goes away, then SIGTERM, each with a grace; bwrap gets SIGKILL, which ends the whole PID namespace, daemons
 * included. Then the removal is confirmed by /proc and the control groups; what cannot be looked at is not removed.
 * Never signals an identity that no longer matches (ST-25).
 */
export async function releaseSandbox(parts: SandboxParts): Promise<ReleaseReport> {
  const steps: ReleaseReport['steps'] = [];
  await endProcesses(parts, steps);
  return confirmRemoval(parts, steps);
}

async function endProcesses(parts: SandboxParts, steps: ReleaseReport['steps']): Promise<void> {
  const { killLeader, program, exited } = parts;
  for (const [signal, graceMs] of POLITE) {
    if (await settledWithin(exited, 0)) break;
    const result = signalExactly(program, signal);
    // A stopped program acts on nothing but SIGKILL until it is continued.
    if (result === 'sent') signalExactly(program, 'SIGCONT');
    steps.push({ step: signal, detail: `program: ${result}` });
    if (await settledWithin(exited, graceMs)) break;
  }
  if (await settledWithin(exited, 0)) {
    steps.push({ step: 'ended', detail: 'bubblewrap was reaped' });
    return;
  }
  steps.push({ step: 'SIGKILL', detail: `bubblewrap: ${killLeader() ? 'sent' : 'gone'}` });
}

async function confirmRemoval(parts: SandboxParts, steps: ReleaseReport['steps']): Promise<ReleaseReport> {
  const { init, groups } = parts;
  const start = performance.now();
  const left = () => Math.max(0, RELEASE.removalMs - (performance.now() - start));
  const gone = () => isGone(init) && groups.isEmpty();

  if (!(await waitUntil(gone, left() / 2))) {
    const result = signalExactly(init, 'SIGKILL');
    groups.killAll();
    steps.push({ step: 'killed what was left', detail: `pid 1 of the sandbox: ${result}` });
  }
  const removed = (await waitUntil(gone, left())) && (await waitUntil(() => groups.remove(), left()));
  if (!removed) {
    const what =
      checkIdentity(init) === 'unknown'
        ? 'Whether something of the sandbox is left could not be looked at within'
        : 'Something of the sandbox was still there after';
    return { removed, steps, reason: `${what} ${RELEASE.removalMs} ms (pid 1: ${init.pid}).` };
  }
  steps.push({ step: 'removal confirmed', detail: `${Math.round(performance.now() - start)} ms` });
  return { removed, steps };
}
