import { RELEASE } from '../../../shared/terminal/limits.ts';
import type { Outcome, ReleaseReport } from '../../../shared/terminal/outcome.ts';
import { settledWithin } from '../wait.ts';
import type { Collected } from './guest-link.ts';
import type { MachineParts } from './terminal.ts';
import { writeBack } from './worker-output.ts';

/** What the program is asked with before its machine is removed, and the milliseconds it has for each. */
const POLITE = [
  ['HUP', RELEASE.hangupGraceMs],
  ['TERM', RELEASE.terminateGraceMs],
] as const;

/** Milliseconds for what a worker left to come out of its machine. */
const COLLECT_MS = 4_000;

/**
 * The ordered release (ST-24): SIGHUP and SIGTERM to the program, each with a grace; every process of the guest is killed and a
 * worker's files are fetched; the monitor gets SIGKILL, which ends the whole machine. Only when it is gone are the files
 * written back to the host. A report without `removed` says what is wrong: nothing may be published then.
 */
export async function releaseMachine(
  parts: MachineParts,
  ended: Promise<Outcome>,
  kill: () => Promise<void>,
): Promise<ReleaseReport> {
  const steps: ReleaseReport['steps'] = [];
  const { machine } = parts;
  await askProgram(parts, ended, steps);
  const collected = await collect(parts, steps);
  const start = performance.now();
  await kill();
  steps.push({ step: 'SIGKILL', detail: 'monitor' });
  const gone = await settledWithin(machine.process.exited, RELEASE.removalMs);
  parts.link.close();
  if (!gone) {
    const { pid } = machine.process.identity;
    return {
      removed: false,
      steps,
      reason: `The monitor was still there after ${RELEASE.removalMs} ms (pid ${pid}).`,
    };
  }
  await machine.removeFiles();
  steps.push({ step: 'removal confirmed', detail: `${Math.round(performance.now() - start)} ms` });
  return handOver(parts, collected, steps);
}

async function askProgram(
  { machine, link }: MachineParts,
  ended: Promise<Outcome>,
  steps: ReleaseReport['steps'],
) {
  for (const [signal, graceMs] of POLITE) {
    if (await settledWithin(ended, 0)) break;
    if (!machine.process.isRunning) break;
    const sent = await link.ask(`signal ${signal}`, 'signalled', graceMs).then(
      () => true,
      () => false,
    );
    steps.push({ step: `SIG${signal}`, detail: `program: ${sent ? 'sent' : 'no answer'}` });
    if (await settledWithin(ended, graceMs)) break;
  }
  if (await settledWithin(ended, 0)) steps.push({ step: 'ended', detail: 'the program' });
}

async function collect(
  { link, outputs, outputMaxBytes }: MachineParts,
  steps: ReleaseReport['steps'],
): Promise<Collected | Error> {
  if (outputs.length === 0) return [];
  try {
    const collected = await link.collect(outputs.length, outputMaxBytes, COLLECT_MS);
    steps.push({
      step: 'collected',
      detail: `${collected.reduce((sum, { length }) => sum + length, 0)} bytes`,
    });
    return collected;
  } catch (error) {
    return error as Error;
  }
}

async function handOver(
  { outputs }: MachineParts,
  collected: Collected | Error,
  steps: ReleaseReport['steps'],
): Promise<ReleaseReport> {
  try {
    if (collected instanceof Error) throw collected;
    await writeBack(outputs, collected);
    return { removed: true, steps };
  } catch (error) {
    return {
      removed: false,
      steps,
      reason: `The machine is gone, but not with the output of its program: ${(error as Error).message}`,
    };
  }
}
