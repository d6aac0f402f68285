import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CELL_JOINS_MAX } from '../../shared/terminal/limits.ts';
import { boundMarkRuns } from './mark-runs.ts';

describe('boundMarkRuns (B30)', () => {
  it.each(['plain \x1b[31mtext', 'À Á Ā € 界', '👨🏻‍👩🏻‍👧🏻‍👦🏻', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'क्षि นี้', 'e\u0301\u0323'])(
    'leaves %j as it is',
    (text) => {
      expect(boundMarkRuns(text)).toBe(text);
    },
  );

  it('cuts a pile of marks and keeps what is around it', () => {
    expect(boundMarkRuns(`a${'\u0301'.repeat(1_000_000)}b`)).toBe(`a${'\u0301'.repeat(CELL_JOINS_MAX)}b`);
  });

  it('leaves out nothing but marks, and no run that is too long', () => {
    const piece = fc.constantFrom(
      'a',
      '\u0301',
      '\u200d',
      '\u00ad',
      '\ufe0f',
      '界',
      '😀',
      '\x1b[m',
      '\u0301'.repeat(20),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const bounded = boundMarkRuns(text);
        const letters = (value: string) => value.replace(/[\p{M}\p{Cf}]/gu, '');
        expect(letters(bounded)).toBe(letters(text));
        for (const [run] of bounded.matchAll(/[\p{M}\p{Cf}]+/gu)) {
          expect([...run].length).toBeLessThanOrEqual(CELL_JOINS_MAX);
        }
      }),
    );
  });
});
