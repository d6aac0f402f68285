import type { ApprovalPayload } from '../../../shared/governed/approval.ts';
import { APPROVAL } from '../../../shared/governed/limits.ts';
import { FakeClock } from '../../governed/controller/testing/fake-clock.ts';
import type { AuditLog, Decision } from '../../governed/ports.ts';
import { ApprovalQueue, type Approver } from '../approval-queue.ts';
import { aQuestion } from './questions.ts';

export const ADA: Approver = { surface: 'page', id: 'local', display: 'Ada' };

/** Resolves when a request waits. */
export async function untilAsked(queue: ApprovalQueue): Promise<void> {
  while (queue.waiting().length === 0)
    await new Promise<void>((resolve) => {
      const listening = queue.onChange(() => {
        listening.dispose();
        resolve();
      });
    });
}

/** Reads the oldest request to its end and approves it. */
export async function approveOldest(queue: ApprovalQueue, clock: FakeClock, approver = ADA): Promise<void> {
  await untilAsked(queue);
  const [waiting] = queue.waiting();
  if (waiting === undefined) throw new Error('Nothing waits.');
  const { id, digest } = waiting.request;
  const viewing = waiting.viewings.open();
  waiting.viewings.setReady(viewing, true);
  clock.jump(APPROVAL.armMs);
  const answer = await queue.approve({ id, digest, viewing }, approver);
  if (!answer.ok) throw new Error(answer.error);
}

/** A person's approval as the product asks for it and records it. */
export async function approved(
  audit: AuditLog,
  sessionId: string,
  payload: Partial<ApprovalPayload>,
): Promise<Extract<Decision, { outcome: 'approved' }>> {
  const clock = new FakeClock();
  const queue = new ApprovalQueue({ audit, clock });
  const asked = queue.ask({ ...aQuestion(payload), sessionId }, new AbortController().signal);
  await approveOldest(queue, clock);
  const decision = await asked;
  if (decision.outcome !== 'approved') throw new Error(decision.text);
  return decision;
}
