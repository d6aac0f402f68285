import { describe, expect, it } from 'vitest';
import { outcomeOf } from './terminal.ts';

describe('ST-22 the outcome', () => {
  it.each([0, 7, 130, 137, 255])('is the code %i that bwrap ended with', (code) => {
    expect(outcomeOf({ code, signal: null })).toEqual({ kind: 'exited', code });
  });

  it('is the signal when one ended bwrap: what the program did is not known', () => {
    expect(outcomeOf({ code: null, signal: 'SIGKILL' })).toEqual({
      kind: 'signalled',
      signal: 9,
      name: 'SIGKILL',
    });
  });

  it('is unknown when there is neither, never a success', () => {
    const outcome = outcomeOf({ code: null, signal: null, error: new Error('spawn ENOMEM') });
    expect(outcome).toEqual({ kind: 'unknown', reason: 'bubblewrap could not be started: spawn ENOMEM.' });
  });
});
