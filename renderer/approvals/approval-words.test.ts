import { expect, it } from 'vitest';
import { outcomeOf } from './approval-words.ts';

const approver = { surface: 'desktop', id: 'u', display: 'Ada' };

it('says what became of a request, and by whose word', () => {
  expect(outcomeOf({ outcome: 'approved', approver }).text).toBe('Approved once by Ada');
  expect(outcomeOf({ outcome: 'denied', approver }).text).toBe('Denied by Ada');
  expect(outcomeOf({ outcome: 'denied', approver: null }).text).toBe('Denied');
  expect(outcomeOf({ outcome: 'expired', approver: null }).tone).toBe('plain');
});

it('A12 an outcome that is not known is neither an approval nor a denial', () => {
  const words = outcomeOf({ outcome: 'unknown', approver });
  expect(words).toEqual({ text: 'Outcome unknown; decided by Ada', tone: 'attention' });
  expect(outcomeOf({ outcome: 'cancelled', approver }).text).toBe('Decided by Ada, without effect');
  expect(outcomeOf({ outcome: 'cancelled', approver: null }).text).toBe('Taken back before a decision');
});

it('only an approval looks like one', () => {
  const outcomes = ['denied', 'expired', 'cancelled', 'unknown'] as const;
  expect(outcomes.map((outcome) => outcomeOf({ outcome, approver }).tone)).not.toContain('ok');
});
