import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { decodeOutput } from '../../shared/protocol/frames.ts';
import { OUTPUT_FRAME } from '../../shared/terminal/limits.ts';
import { SessionOutlet } from './session-outlet.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function outlet() {
  const sent: string[] = [];
  const sink = new SessionOutlet(
    {
      sendFrame(frame) {
        const { channel, bytes } = decodeOutput(frame) as { channel: number; bytes: Uint8Array };
        sent.push(`${channel}:${bytes.length > 20 ? bytes.length : Buffer.from(bytes)}`);
      },
      sendEvent: (event) =>
        sent.push('sessionId' in event ? `${event.event} ${event.sessionId}` : event.event),
    },
    3,
  );
  sink.sessionId = 'id';
  return { sink, sent };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('joins the chunks of one turn of the event loop into one frame', async () => {
  const { sink, sent } = outlet();
  for (const text of ['a', 'b', 'c']) sink.output(Buffer.from(text));
  expect(sent).toEqual([]);
  await turn();
  expect(sent).toEqual(['3:abc']);
  sink.output(Buffer.from('d'));
  await turn();
  expect(sent).toEqual(['3:abc', '3:d']);
});

it('gathers a flood, keeps a frame near its bound, and lets nothing wait for long', async () => {
  const { sink, sent } = outlet();
  for (let n = 0; n < 40; n += 1) {
    sink.output(new Uint8Array(4096));
    await turn();
  }
  expect(sent).toHaveLength(2);
  vi.advanceTimersByTime(OUTPUT_FRAME.waitMs);
  expect(sent).toHaveLength(3);
  const sizes = sent.map((entry) => Number(entry.split(':')[1]));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(40 * 4096);
  expect(Math.max(...sizes)).toBeLessThan(OUTPUT_FRAME.maxBytes + 4096);
});

it('the small chunk at the end of a flood takes along what waits', async () => {
  const { sink, sent } = outlet();
  sink.output(new Uint8Array(4096));
  await turn();
  expect(sent).toEqual([]);
  sink.output(Buffer.from('$ '));
  await turn();
  expect(sent).toEqual(['3:4098']);
});

it('keeps output before the state and the notice that follow it (ST-21)', async () => {
  const { sink, sent } = outlet();
  sink.output(Buffer.from('a'));
  sink.notice({ kind: 'break', text: '' });
  sink.output(Buffer.from('last'));
  sink.state({ kind: 'releasing', cause: 'program-ended' });
  await turn();
  expect(sent).toEqual(['3:a', 'session.notice id', '3:last', 'session.state id']);
});
