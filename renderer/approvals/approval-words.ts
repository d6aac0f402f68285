import type { ApprovalRecord } from '../../shared/governed/approval.ts';

export interface RecordWords {
  readonly text: string;
  readonly tone: 'ok' | 'plain' | 'danger' | 'attention';
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
      return approver === null
        ? { text: 'Taken back before a decision', tone: 'plain' }
        : { text: `Decided${by}, without effect`, tone: 'plain' };
    case 'unknown':
      return { text: `Outcome unknown; decided${by}`, tone: 'attention' };
  }
}
