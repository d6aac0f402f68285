import { expect, it } from 'vitest';
import type { UntimedMoment } from './moment.ts';
import { isFailure, momentWords } from './moment-words.ts';

const id = '0d2f6c1a-8d55-4a36-9a3e-0b8f5f1f2a3b';
const command = { command: 'report', label: '' } as const;

it.each<[UntimedMoment, string, string]>([
  [{ kind: 'command-start', ...command, line: 'select 1' }, 'Command sent', 'report: select 1'],
  [{ kind: 'command-start', ...command, line: 'report --all' }, 'Command sent', 'report --all'],
  [{ kind: 'command-end', ...command, status: 'prompt_observed' }, 'Command answered', 'report'],
  [{ kind: 'command-end', ...command, status: 'session_finalized' }, 'Session finalized', 'report'],
  [{ kind: 'command-end', ...command, status: 'timed out' }, 'Command failed', 'report: timed out'],
  [
    { kind: 'approval-requested', approvalId: id, label: 'Approval requested: report: a: b' },
    'Approval requested',
    'report: a: b',
  ],
  [
    { kind: 'approval-decided', approvalId: id, outcome: 'expired', label: 'Expired: report' },
    'Not decided in time',
    'report',
  ],
  [
    { kind: 'approval-decided', approvalId: id, outcome: 'cancelled', label: 'Cancelled' },
    'Request withdrawn',
    '',
  ],
  [{ kind: 'publication', publicationId: id, receiptId: id, path: 'a.csv', label: '' }, 'Published', 'a.csv'],
  [
    { kind: 'publication', publicationId: id, receiptId: null, path: 'a.csv', label: '' },
    'Not published',
    'a.csv',
  ],
  [{ kind: 'route', route: 'host-process', label: '' }, 'Held by a program of this machine', ''],
  [{ kind: 'suspended', label: '' }, 'Suspended', ''],
  [{ kind: 'resumed', label: '' }, 'Resumed', ''],
  [{ kind: 'notice', text: 'BREAK is not sent.', label: '' }, 'Notice', 'BREAK is not sent.'],
  [
    { kind: 'recording-stopped', why: 'The disk is full.', label: '' },
    'Recording stopped',
    'The disk is full.',
  ],
  [{ kind: 'marker', label: 'chapter: one' }, 'chapter: one', ''],
  [{ kind: 'marker', label: '' }, 'Marker', ''],
])('a moment %# is in words', (moment, what, rest) => {
  expect(momentWords(moment)).toEqual({ what, rest });
});

it('tells a failed command from one that ended as it should', () => {
  const statuses = ['prompt_observed', 'session_finalized', 'worker failed'];
  expect(statuses.map((status) => isFailure({ kind: 'command-end', ...command, status }))).toEqual([
    false,
    false,
    true,
  ]);
});
