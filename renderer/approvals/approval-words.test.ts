import { expect, it } from 'vitest';
import { outcomeOf } from './approval-words.ts';

const approver = { surface: 'desktop', id: 'u', display: 'Ada' };

it('says what became of a request, and by whose word', () => {
  expect(outcomeOf({ outcome: 'approved', approver }).text).toBe('Approved once by Ada');
  expect(outcomeOf({ outcome: 'denied', approver }).text).toBe('Denied by Ada');
  expect(outcomeOf({ outcome: 'denied', approver: null }).text).toBe('Denied');
  expect(outcomeOf({ outcome: 'expired', approver: null }).tone).toBe('plain');
});

it('only an approval looks like one', () => {
  const outcomes = ['denied', 'expired', 'cancelled'] as const;
  expect(outcomes.map((outcome) => outcomeOf({ outcome, approver }).tone)).not.toContain('ok');
});
