import { describe, expect, it } from 'vitest';
import type { CommandReply } from '../../shared/governed/call.ts';
import { boundWords, fileFacts, outcomeWords, runLabel } from './governed-words.ts';

it.each([
  [false, false, false, 'Run'],
  [false, false, true, 'Run'],
  [true, false, true, 'Ask for approval'],
  [true, true, true, 'Ask, then publish and end'],
  [true, true, false, 'Ask, then end'],
  [false, true, true, 'Publish and end'],
  [false, true, false, 'Run and end'],
])('approval %s, finalizes %s, publishes %s: “%s”', (needsApproval, finalizes, publishes, label) =>
  expect(runLabel({ needsApproval, finalizes }, publishes)).toBe(label),
);

it('says which files a manifest reads and may publish', () => {
  const words = (read: string[], create: string | null) =>
    fileFacts({ read, create, maxFileBytes: 1 }).map(({ text }) => text);
  expect(words(['a.csv'], 'b.csv')).toEqual(['reads a.csv', 'may publish b.csv']);
  expect(words(['a', 'b'], null)).toEqual(['reads 2 files']);
  expect(fileFacts(null)).toEqual([]);
});

describe('the bounds of a session', () => {
  const status = { activity: { kind: 'idle' } as const, interactions: { count: 4, limit: 40 } };

  it('are its commands and its deadlines', () => {
    expect(boundWords({ ...status, idleAt: 61_000, lifeAt: 553_000 }, 1_000)).toEqual([
      '4 of 40 commands',
      'next command within 1:00',
      'ends in 9:12 at the latest',
    ]);
  });

  it('leave out an idle deadline that is the end of life, and what does not apply (E18)', () => {
    expect(boundWords({ ...status, idleAt: 553_000, lifeAt: 553_000 }, 1_000)).toHaveLength(2);
    expect(boundWords({ ...status, idleAt: null, lifeAt: null }, 0)).toEqual(['4 of 40 commands']);
    const closed = { kind: 'closed', why: '' } as const;
    expect(boundWords({ ...status, activity: closed, idleAt: 1, lifeAt: 2 }, 0)).toEqual([]);
  });
});

describe('what came of a command', () => {
  const reply: CommandReply = {
    status: 'success',
    execution_status: 'prompt_observed',
    session_id: 'session-1',
    session_closed: false,
    created_files: [],
    file_publication: 'none',
    duration_ms: 120,
    timestamp: '',
    exit_code: null,
    stderr: '',
    results: { output: '', prompt: '>', session_state: 'ready', interaction_count: 1 },
  };

  it('answered', () => {
    const words = outcomeWords({ kind: 'answered', command: 'add', reply });
    expect(words).toMatchObject({ tone: 'ok', title: 'add answered in 0.1 s.', next: null });
  });

  it('E36: the last command says that it was the last', () => {
    const words = outcomeWords({
      kind: 'answered',
      command: 'add',
      reply: { ...reply, session_closed: true },
    });
    expect(words.next).toContain('last command');
  });

  it('F11: published, with path, size and digest', () => {
    const created_files = [{ path: 'data/report.csv', bytes: 26, sha256: `4b1e${'0'.repeat(56)}c09a` }];
    const words = outcomeWords({ kind: 'answered', command: 'save', reply: { ...reply, created_files } });
    expect(words.title).toBe('Published data/report.csv · 26 bytes · sha-256 4b1e…c09a');
  });

  it('A5: a decision that nobody made in time says so', () => {
    const failure = { rule: 'A5', text: 'timeout', session: 'lives' } as const;
    expect(outcomeWords({ kind: 'refused', command: 'save', failure })).toMatchObject({
      tone: 'plain',
      title: 'save was not approved',
      detail: 'timeout: nobody decided in time',
      next: 'The session goes on. Nothing was sent.',
    });
  });

  it('A8: a person who said no is no failure', () => {
    const failure = { rule: 'A8', text: 'denied by operator', session: 'lives' } as const;
    const words = outcomeWords({ kind: 'refused', command: 'save', failure });
    expect(words).toEqual({
      tone: 'plain',
      title: 'save was not approved',
      rule: 'A8',
      detail: 'denied by operator',
      next: 'The session goes on. Nothing was sent.',
    });
  });

  it.each([
    ['A5', 'timeout', 'timeout: nobody decided in time'],
    ['A8', 'the totals are wrong', 'the totals are wrong'],
  ])(
    '%s: a file that is not published after a second look is not a command that did not run',
    (rule, text, detail) => {
      const failure = { rule, text, session: 'ended', file: 'kept' } as const;
      expect(outcomeWords({ kind: 'refused', command: 'save', failure })).toEqual({
        tone: 'plain',
        title: 'save ran, and its file was not published',
        rule,
        detail,
        next: 'The session has ended. The sealed file is kept: see Publications.',
      });
    },
  );

  it.each([
    ['F7', 'kept', 'save ran, and its file was not published', /sealed file is kept: see Publications/],
    ['F7', 'gone', 'save ran, and its file was not published', /what it wrote is gone\. Open it again/],
    ['F8', 'kept', 'save ran, and its file was not published', /sealed file is kept: see Publications/],
    ['F9', 'kept', 'save ran, and its file was not published', /sealed file is kept: see Publications/],
    ['F10', 'published', 'save ran, and its file was published without a receipt', /where it was to be/],
    ['X2', 'kept', 'save ran, and its file was not published', /sealed file is kept: see Publications/],
    ['X41', 'gone', 'save ran, and its file was not published', /finalize before the last command/],
    ['X42', 'gone', 'save ran, and its file was not published', /what it wrote is gone\. Open it again/],
    ['F6', undefined, 'save was refused', /The session has ended\. Open it again to go on/],
  ] as const)(
    '%s: what became of a file that is %s is said, and that its command ran',
    (rule, file, title, next) => {
      const failure = { rule, text: 'why', session: 'ended', file } as const;
      const words = outcomeWords({ kind: 'refused', command: 'save', failure });
      expect(words).toMatchObject({ tone: 'danger', title, rule, detail: 'why' });
      expect(words.next).toMatch(next);
    },
  );

  it('X48: a refusal keeps the text of the reference and says what to do next', () => {
    const failure = { rule: 'X48', text: 'terminal response timed out', session: 'ended' } as const;
    const words = outcomeWords({ kind: 'refused', command: 'add', failure });
    expect(words).toMatchObject({ tone: 'danger', rule: 'X48', detail: 'terminal response timed out' });
    expect(words.next).toContain('Open it again');
  });

  it('an unknown outcome never looks like a success', () => {
    const words = outcomeWords({ kind: 'unknown', command: 'save', message: 'The connection was lost.' });
    expect(words.tone).toBe('danger');
    expect(words.title).toContain('outcome unknown');
  });
});
