import { describe, expect, it } from 'vitest';
import { OUTPUT_CREDIT } from '../../shared/terminal/limits.ts';
import { Lookahead } from './lookahead.ts';

const { high, low, waitMs, growth } = OUTPUT_CREDIT;

describe('Lookahead (B30)', () => {
  it('is as large as it may be until output has waited too long', () => {
    const lookahead = new Lookahead();
    lookahead.waited(100, 100 + waitMs);
    expect(lookahead.bytes).toBe(high);
    lookahead.waited(100, 100 + waitMs * 2);
    expect(lookahead.bytes).toBe(high / 2);
  });

  it('changes once for all output that came before the change', () => {
    const lookahead = new Lookahead();
    for (let n = 1; n <= 5; n += 1) lookahead.waited(0, waitMs * 2 + n);
    lookahead.ranDry(0, waitMs * 3);
    expect(lookahead.bytes).toBeGreaterThan(high / 2 - high / 50);
    expect(lookahead.bytes).toBeLessThan(high / 2);
  });

  it('settles where output waits as long as it should, whatever it costs', () => {
    for (const bytesPerMs of [2_000, 4_000, 8_000]) {
      const lookahead = new Lookahead();
      let now = 0;
      for (let n = 0; n < 20; n += 1) {
        const arrivedAt = now;
        now += lookahead.bytes / bytesPerMs;
        lookahead.waited(arrivedAt, now);
      }
      expect(lookahead.bytes / bytesPerMs).toBeCloseTo(waitMs, 0);
    }
  });

  it('grows when output runs dry, and stays within its bounds', () => {
    const lookahead = new Lookahead();
    lookahead.waited(0, 1e9);
    expect(lookahead.bytes).toBe(low);
    lookahead.ranDry(1e9, 1e9 + 1);
    expect(lookahead.bytes).toBe(low * growth);
    for (let n = 2; n < 50; n += 1) lookahead.ranDry(1e9 + n, 1e9 + n);
    expect(lookahead.bytes).toBe(high);
  });
});
