import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTPUT_CREDIT } from '../../shared/terminal/limits.ts';
import { OutputCredit } from './output-credit.ts';

const { high, low, ackEvery } = OUTPUT_CREDIT;

function creditAfter(sent: number): OutputCredit {
  const credit = new OutputCredit();
  credit.sent(sent);
  return credit;
}

describe('watermarks', () => {
  it('the limits let a client that acknowledges every ackEvery bytes always bring reading back', () => {
    expect(low + ackEvery).toBeLessThanOrEqual(high);
  });

  it('pauses above the high one, not at it', () => {
    expect(creditAfter(high).exhausted).toBe(false);
    expect(creditAfter(high + 1).exhausted).toBe(true);
  });

  it('resumes at the low one, not above it', () => {
    const credit = creditAfter(high + 1);
    credit.parsed(high - low);
    expect(credit.exhausted).toBe(true);
    credit.parsed(high + 1 - low);
    expect(credit.exhausted).toBe(false);
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
  type Step = { send: number } | { claim: number };
  const steps = fc.array(
    fc.oneof(
      fc.record({ send: fc.integer({ min: 1, max: 200_000 }) }),
      fc.record({
        claim: fc.oneof(
          fc.integer({ min: -10, max: 2_000_000 }),
          fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
        ),
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
        credit.parsed(step.claim);
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
          if ('claim' in step) credit.parsed(step.claim);
          else if (!credit.exhausted) credit.sent(step.send);
          expect(credit.unparsed).toBeGreaterThanOrEqual(0);
          expect(credit.unparsed).toBeLessThanOrEqual(high + 200_000);
        }
      }),
    );
  });

  it('a client that acknowledges on every ackEvery parsed bytes and at the end never stalls', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 300_000 }), { maxLength: 40 }), (chunks) => {
        const credit = new OutputCredit();
        let sent = 0;
        let acknowledged = 0;
        for (const bytes of chunks) {
          credit.sent(bytes);
          sent += bytes;
          // The client parses what it has, in its own time, and tells only full steps.
          while (credit.exhausted) {
            const next = Math.min(acknowledged + ackEvery, sent);
            expect(next).toBeGreaterThan(acknowledged);
            acknowledged = next;
            credit.parsed(acknowledged);
          }
        }
      }),
    );
  });
});
