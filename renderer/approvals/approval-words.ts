import type { ApprovalRecord } from '../../shared/governed/approval.ts';

export interface RecordWords {
  readonly text: string;
  readonly tone: 'ok' | 'plain' | 'danger';
}

/** What became of a request, and by whose word. */
export function outcomeOf({ outcome, approver }: Pick<ApprovalRecord, 'outcome' | 'approver'>): RecordWords {
  const by = approver === null ? '' : ` by ${approver.display}`;
  switch (outcome) {
    case 'approved':
      return { text: `Approved once${by}`, tone: 'ok' };
    case 'denied':
      return { text: `Denied${by}`, tone: 'danger' };
    case 'expired':
      return { text: 'Expired: nobody decided in time', tone: 'plain' };
    case 'cancelled':
      return { text: 'Taken back before a decision', tone: 'plain' };
  }
}
