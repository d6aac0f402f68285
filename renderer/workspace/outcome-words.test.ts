import { describe, expect, it } from 'vitest';
import { engineKindSchema } from '../../shared/terminal/engine-status.ts';
import type { Outcome, ReleaseCause } from '../../shared/terminal/outcome.ts';
import { closeWords, type Ending, endingWords, outcomeMark } from './outcome-words.ts';

function ended(outcome: Outcome, cause: ReleaseCause = 'program-ended'): Ending {
  return { kind: 'ended', cause, outcome, release: { removed: true, steps: [] } };
}

const killed: Outcome = { kind: 'signalled', signal: 9, name: 'SIGKILL' };
const unknown: Outcome = { kind: 'unknown', reason: 'the connection ended before the program reported' };

describe('endingWords', () => {
  it('says the exit code, and only 0 is plain', () => {
    expect(endingWords(ended({ kind: 'exited', code: 0 }))).toEqual({
      title: 'Exit code 0.',
      details: [],
      tone: 'plain',
    });
    expect(endingWords(ended({ kind: 'exited', code: 2 }))).toMatchObject({
      title: 'Exit code 2.',
      tone: 'danger',
    });
  });

  it('says what a code above 128 usually means, without claiming it', () => {
    expect(endingWords(ended({ kind: 'exited', code: 137 }))).toMatchObject({
      title: 'Exit code 137.',
      details: ['This code usually means that the program was ended by SIGKILL.'],
    });
    expect(endingWords(ended({ kind: 'exited', code: 128 })).details).toEqual([]);
    expect(endingWords(ended({ kind: 'exited', code: 255 })).details).toEqual([]);
  });

  it('says how a governed session ended, and claims no exit status', () => {
    const ending = ended({ kind: 'concluded', reason: 'The last command ended the session' });
    expect(endingWords(ending)).toEqual({
      title: 'The last command ended the session.',
      details: [],
      tone: 'plain',
    });
    expect(outcomeMark(ending)).toBe('ended');
  });

  it('says once what is unknown, and where to look for it on each engine (ST-25)', () => {
    const reason = 'the connection ended before the program reported: look there';
    const ending: Ending = {
      kind: 'needs-attention',
      cause: 'program-ended',
      outcome: unknown,
      release: { removed: false, steps: [], reason },
    };
    expect(endingWords(ending, 'smolvm')).toEqual({
      title: 'This session needs attention.',
      details: [`${reason}.`, expect.stringContaining('say so in the profile')],
      tone: 'attention',
    });
    expect(endingWords(ending).details[1]).toContain('process list');
    expect(endingWords(ending, 'container').details[1]).toContain('dev.airlock.session');
    expect(endingWords(ending, 'attach').details[1]).toContain('inside that container');
    const other: Ending = { ...ending, release: { removed: false, steps: [], reason: 'It is still there' } };
    expect(endingWords(other).details).toContainEqual(expect.stringMatching(/^Outcome unknown:/));
  });

  it('names the signal', () => {
    expect(endingWords(ended(killed)).title).toBe('Ended by SIGKILL (signal 9).');
  });

  it('ST-22: an unknown outcome is never shown as a success', () => {
    for (const cause of ['program-ended', 'user', 'client-lost'] as const) {
      expect(endingWords(ended(unknown, cause))).toMatchObject({
        title: 'Outcome unknown: the connection ended before the program reported.',
        tone: 'danger',
      });
    }
  });

  it('does not call it a failure when a person ended it', () => {
    const hangup: Outcome = { kind: 'signalled', signal: 1, name: 'SIGHUP' };
    expect(endingWords(ended(hangup, 'user'))).toEqual({
      title: 'You ended this session.',
      details: ['Ended by SIGHUP (signal 1).'],
      tone: 'plain',
    });
  });

  it('ST-25: says what needs attention and what to do', () => {
    const state: Ending = {
      ...ended(unknown),
      kind: 'needs-attention',
      release: { removed: false, steps: [], reason: 'pid 42 is another program now' },
    };
    const words = endingWords(state);
    expect(words.tone).toBe('attention');
    expect(words.details[0]).toBe('pid 42 is another program now.');
    expect(words.details.join(' ')).toMatch(/end it yourself/);
  });
});

it('says before a session is closed what becomes of the files, for each kind of engine once', () => {
  expect(closeWords(['bubblewrap', 'container', 'microvm'])).toEqual([
    'What runs in the sandbox is stopped. Its private files are gone with it.',
  ]);
  expect(closeWords(['attach', 'smolvm', 'attach'])).toEqual([
    'What was started in the running container is stopped. The files that it left there stay.',
    expect.stringMatching(/Whether the program ends is not known: .* the machine takes no other session/),
  ]);
});

it('promises an end only where releasing can confirm it', () => {
  const kinds = engineKindSchema.options;
  const promised = kinds.filter((engine) => /stopped/.test(closeWords([engine]).join()));
  expect(promised).toEqual(kinds.filter((engine) => engine !== 'smolvm'));
});

it('marks a tab in few words', () => {
  expect(outcomeMark(ended({ kind: 'exited', code: 2 }))).toBe('exit 2');
  expect(outcomeMark(ended(killed))).toBe('SIGKILL');
  expect(outcomeMark(ended(unknown))).toBe('outcome unknown');
  expect(outcomeMark(ended(killed, 'escape'))).toBe('ended');
  expect(outcomeMark(ended(unknown, 'user'))).toBe('outcome unknown');
});
