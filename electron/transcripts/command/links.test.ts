import { expect, it } from 'vitest';
import type { Receipt } from '../../../shared/governed/receipt.ts';
import type { Moment } from '../../../shared/transcripts/moment.ts';
import { approvalLinks } from './links.ts';

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const requested = (atMs: number, n: number): Moment => ({
  ...{ kind: 'approval-requested', atMs, label: '', approvalId: id(n) },
});
const decided = (atMs: number, n: number, outcome: 'approved' | 'denied'): Moment => ({
  ...{ kind: 'approval-decided', atMs, label: '', approvalId: id(n), outcome },
});
const ended = (atMs: number, status: string): Moment => ({
  ...{ kind: 'command-end', atMs, label: '', command: 'tool.run', status },
});
const published = (atMs: number, receiptId: string | null): Moment => ({
  ...{ kind: 'publication', atMs, label: '', publicationId: id(9), path: 'a.csv', receiptId },
});

it('a request, its decision, what came of it and the receipt are one', () => {
  const moments = [
    requested(1, 1),
    decided(2, 1, 'denied'),
    requested(3, 2),
    decided(4, 2, 'approved'),
    ended(5, 'done'),
    published(6, id(9)),
    requested(7, 3),
    ended(8, 'of another'),
  ];
  const receipts = [{ id: id(9), approvalId: id(2) } as Receipt];
  expect(approvalLinks(moments, receipts)).toEqual([
    {
      ...{ approvalId: id(1), requestedAtMs: 1, decision: { atMs: 2, outcome: 'denied' } },
      ...{ outcome: null, publications: [], receiptIds: [] },
    },
    {
      ...{ approvalId: id(2), requestedAtMs: 3, decision: { atMs: 4, outcome: 'approved' } },
      outcome: { atMs: 5, command: 'tool.run', status: 'done' },
      publications: [{ atMs: 6, publicationId: id(9), path: 'a.csv', receiptId: id(9) }],
      receiptIds: [id(9)],
    },
    {
      ...{ approvalId: id(3), requestedAtMs: 7, decision: null, outcome: null },
      ...{ publications: [], receiptIds: [] },
    },
  ]);
});
