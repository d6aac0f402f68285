import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PROTOCOL } from '../../shared/protocol/version.ts';
import { ok } from '../../shared/result.ts';
import { LIVENESS } from '../../shared/terminal/limits.ts';
import { MemoryEngine } from '../session/testing/memory-sandbox.ts';
import { FRESH, type LivenessState, onInterval } from './liveness.ts';
import { eventually } from './testing/eventually.ts';
import { RecordingCarrier } from './testing/recording-carrier.ts';
import { TestHost } from './testing/test-host.ts';

describe('B27 counting intervals', () => {
  it.each<[LivenessState, number, 'ask' | 'dead']>([
    [FRESH, 0, 'ask'],
    [{ missed: 0, heard: false }, 1, 'ask'],
    [{ missed: 1, heard: true }, 0, 'ask'],
    [{ missed: 1, heard: false }, 2, 'dead'],
  ])('%j', (state, missed, action) => {
    expect(onInterval(state)).toEqual({ state: { missed, heard: false }, action });
  });

  it('finds a dead peer within 30 s, wherever in an interval it fell silent', () => {
    expect((LIVENESS.missedMax + 1) * LIVENESS.intervalMs).toBeLessThanOrEqual(30_000);
  });
});

describe('B27 a connection over a network', () => {
  let fixture: TestHost;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] });
    fixture = new TestHost(new MemoryEngine());
  });

  afterEach(async () => {
    vi.useRealTimers();
    await fixture.dispose();
  });

  async function greeted(canDieSilently: boolean): Promise<RecordingCarrier> {
    const carrier = new RecordingCarrier(canDieSilently);
    fixture.host.connect(carrier, async () => ok(undefined));
    carrier.listener.onControl({ type: 'hello', protocol: PROTOCOL });
    await eventually(() => expect(carrier.sent[0]?.type).toBe('welcome'));
    return carrier;
  }

  it('is cut within 30 s of the last sign of its client, and its sessions are released', async () => {
    const carrier = await greeted(true);
    carrier.listener.onControl({
      type: 'request',
      id: 1,
      verb: 'session.open',
      params: { profileId: 'shell', size: { cols: 80, rows: 24 } },
    });
    await eventually(() => expect(fixture.host.registry.size).toBe(1));
    vi.advanceTimersByTime(30_000);
    expect(carrier.isOpen).toBe(false);
    await eventually(() => expect(fixture.host.registry.size).toBe(0));
  });

  it.each<[string, (carrier: RecordingCarrier) => void]>([
    ['answers', ({ listener }) => listener.onPong()],
    ['sends something', ({ listener }) => listener.onControl({ type: 'ping', n: 1 })],
  ])('is left alone while its client %s', async (_name, sign) => {
    const carrier = await greeted(true);
    for (let n = 0; n < 50; n += 1) {
      vi.advanceTimersByTime(LIVENESS.intervalMs);
      sign(carrier);
    }
    expect(carrier.isOpen).toBe(true);
    expect(carrier.pings).toBe(50);
  });

  it('survives a jump of the wall clock and a host that slept', async () => {
    const carrier = await greeted(true);
    vi.advanceTimersByTime(LIVENESS.intervalMs);
    carrier.listener.onPong();
    // Asleep: no timer has run. On waking one interval ends, the client is asked, and it answers.
    vi.setSystemTime(Date.now() + 8 * 3_600_000);
    vi.advanceTimersByTime(LIVENESS.intervalMs);
    expect(carrier.isOpen).toBe(true);
    carrier.listener.onPong();
    vi.advanceTimersByTime(LIVENESS.intervalMs);
    expect(carrier.isOpen).toBe(true);
  });

  it('does not exist for a port, whose end is always told', async () => {
    const carrier = await greeted(false);
    vi.advanceTimersByTime(10 * 60_000);
    expect(carrier.isOpen).toBe(true);
    expect(carrier.sent).toHaveLength(1);
  });
});
