import { DRAIN_DEADLINE_MS, RELEASE_DEADLINE_MS } from '../../shared/terminal/limits.ts';
import type { Outcome, ReleaseReport } from '../../shared/terminal/outcome.ts';
import type { SandboxTerminal } from '../sandbox/engine.ts';
import { withDeadline } from './deadline.ts';

/**
 * Has the engine release the sandbox (ST-24) and learns how its program ended. Never rejects and always ends: an
 * engine that gives no answer in time leaves the removal unconfirmed (ST-25) or the outcome unknown (ST-22).
 */
export async function releaseTerminal(
  terminal: SandboxTerminal,
): Promise<{ report: ReleaseReport; outcome: Outcome }> {
  const report = await confirmRelease(terminal);
  const outcome = await withDeadline(terminal.ended, DRAIN_DEADLINE_MS, unknownOutcome);
  return { report, outcome };
}

/** The first half of it, for a terminal whose program nobody asks about. */
export function confirmRelease(terminal: SandboxTerminal): Promise<ReleaseReport> {
  return withDeadline(terminal.release(), RELEASE_DEADLINE_MS, unconfirmed);
}

function unconfirmed(reason: unknown): ReleaseReport {
  return { removed: false, steps: [], reason: `The removal was not confirmed: ${inWords(reason)}.` };
}

function unknownOutcome(reason: unknown): Outcome {
  return { kind: 'unknown', reason: `The engine did not tell how the program ended: ${inWords(reason)}.` };
}

function inWords(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
