import { describe, expect, it } from 'vitest';
import { outcomeOf } from './terminal.ts';

describe('ST-22 the outcome', () => {
  it.each([0, 7, 130, 137, 255])('is the code %i that bwrap reported for the program', (code) => {
    expect(outcomeOf({ code, signal: null }, code)).toEqual({ kind: 'exited', code });
  });

  it('is what bwrap reported, even if bwrap itself was killed afterwards', () => {
    expect(outcomeOf({ code: null, signal: 'SIGKILL' }, 3)).toEqual({ kind: 'exited', code: 3 });
  });

  it('is the signal when one ended bwrap before it could report', () => {
    expect(outcomeOf({ code: null, signal: 'SIGKILL' }, null)).toEqual({
      kind: 'signalled',
      signal: 9,
      name: 'SIGKILL',
    });
  });

  it.each([0, 1])(
    "is unknown when bwrap ended with %i but did not report: the code is not the program's",
    (code) => {
      const outcome = outcomeOf({ code, signal: null }, null);
      expect(outcome.kind).toBe('unknown');
    },
  );
});
