import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTPUT_CREDIT } from '../../shared/terminal/limits.ts';
import { OutputCredit } from './output-credit.ts';

const { high, low, resumeShare } = OUTPUT_CREDIT;

function creditAfter(sent: number): OutputCredit {
  const credit = new OutputCredit();
  credit.sent(sent);
  return credit;
}

describe('the window', () => {
  it('is high at first: reading pauses above it, not at it', () => {
    expect(creditAfter(high).exhausted).toBe(false);
    expect(creditAfter(high + 1).exhausted).toBe(true);
  });

  it('reading goes on at its share that is to be resumed at, not above', () => {
    const credit = creditAfter(high + 1);
    const resumeAt = high * resumeShare;
    credit.parsed(high - resumeAt);
    expect(credit.exhausted).toBe(true);
    credit.parsed(high + 1 - resumeAt);
    expect(credit.exhausted).toBe(false);
  });

  it('is what the client asks for (B30)', () => {
    const credit = creditAfter(high + 1);
    credit.parsed(high + 1, 100_000);
    credit.sent(100_000);
    expect(credit.exhausted).toBe(false);
    credit.sent(1);
    expect(credit.exhausted).toBe(true);
  });

  it.each([
    [0, low],
    [Number.MAX_SAFE_INTEGER, high],
    [Number.POSITIVE_INFINITY, high],
    [Number.NaN, high],
  ])('asked for as %s is %s', (ahead, window) => {
    const credit = new OutputCredit();
    credit.parsed(0, ahead);
    credit.sent(window);
    expect(credit.exhausted).toBe(false);
    credit.sent(1);
    expect(credit.exhausted).toBe(true);
  });
});

describe('B31 acknowledgements that are wrong', () => {
  it('more than was sent gives no credit for later output', () => {
    const credit = creditAfter(10);
    credit.parsed(Number.MAX_SAFE_INTEGER);
    expect(credit.unparsed).toBe(0);
    credit.sent(high + 1);
    expect(credit.exhausted).toBe(true);
  });

  it.each([Number.NaN, Number.NEGATIVE_INFINITY, -1, 3])('%s after 5 changes nothing', (total) => {
    const credit = creditAfter(10);
    credit.parsed(5);
    credit.parsed(total);
    expect(credit.unparsed).toBe(5);
  });

  it('a repeated one changes nothing', () => {
    const credit = creditAfter(10);
    credit.parsed(5);
    credit.parsed(5);
    expect(credit.unparsed).toBe(5);
  });
});

describe('properties', () => {
  type Step = { send: number } | { claim: number; ahead?: number | undefined };
  const steps = fc.array(
    fc.oneof(
      fc.record({ send: fc.integer({ min: 1, max: 200_000 }) }),
      fc.record({
        claim: fc.oneof(
          fc.integer({ min: -10, max: 2_000_000 }),
          fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
        ),
        ahead: fc.option(fc.integer({ min: -10, max: 2_000_000 }), { nil: undefined }),
      }),
    ),
    { maxLength: 60 },
  );

  function play(input: readonly Step[]): { credit: OutputCredit; sent: number } {
    const credit = new OutputCredit();
    let sent = 0;
    for (const step of input) {
      if ('send' in step) {
        credit.sent(step.send);
        sent += step.send;
      } else {
        credit.parsed(step.claim, step.ahead);
      }
    }
    return { credit, sent };
  }

  it('whatever was lost, repeated or wrong before, the right total heals: never paused when all is parsed', () => {
    fc.assert(
      fc.property(steps, (input) => {
        const { credit, sent } = play(input);
        credit.parsed(sent);
        expect(credit.unparsed).toBe(0);
        expect(credit.exhausted).toBe(false);
      }),
    );
  });

  it('a sender that stops when exhausted never has more than high plus one chunk unparsed', () => {
    fc.assert(
      fc.property(steps, (input) => {
        const credit = new OutputCredit();
        for (const step of input) {
          if ('claim' in step) credit.parsed(step.claim, step.ahead);
          else if (!credit.exhausted) credit.sent(step.send);
          expect(credit.unparsed).toBeGreaterThanOrEqual(0);
          expect(credit.unparsed).toBeLessThanOrEqual(high + 200_000);
        }
      }),
    );
  });

  it('a client that says what it parsed, however little at a time, never stalls', () => {
    const ahead = fc.integer({ min: 0, max: 2 * high });
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 300_000 }), { maxLength: 40 }),
        ahead,
        (chunks, wanted) => {
          const credit = new OutputCredit();
          let sent = 0;
          let parsed = 0;
          for (const bytes of chunks) {
            credit.sent(bytes);
            sent += bytes;
            while (credit.exhausted) {
              expect(parsed).toBeLessThan(sent);
              parsed = Math.min(parsed + 10_000, sent);
              credit.parsed(parsed, wanted);
            }
          }
        },
      ),
    );
  });
});
