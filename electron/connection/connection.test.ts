import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { encodeInput } from '../../shared/protocol/frames.ts';
import { PROTOCOL } from '../../shared/protocol/version.ts';
import { ok } from '../../shared/result.ts';
import {
  CARRIER_BUFFER_MAX_BYTES,
  CONTROL_MESSAGE_MAX_BYTES,
  HELLO_DEADLINE_MS,
  INPUT_FRAME_MAX_BYTES,
  REQUESTS_IN_FLIGHT_MAX,
} from '../../shared/terminal/limits.ts';
import type { ReleaseReport } from '../../shared/terminal/outcome.ts';
import { MemoryEngine, type MemoryTerminal } from '../session/testing/memory-sandbox.ts';
import { eventually } from './testing/eventually.ts';
import { RecordingCarrier } from './testing/recording-carrier.ts';
import { TestHost } from './testing/test-host.ts';

let engine: MemoryEngine;
let fixture: TestHost;

beforeEach(() => {
  engine = new MemoryEngine();
  fixture = new TestHost(engine);
});

afterEach(async () => {
  vi.useRealTimers();
  await fixture.dispose();
  expect(fixture.faults).toEqual([]);
});

const terminal = (n = 0) => engine.terminals[n] as MemoryTerminal;

describe('the greeting', () => {
  it('welcomes a client that speaks the protocol', async () => {
    expect(await fixture.connect().hello()).toEqual({ type: 'welcome', protocol: PROTOCOL });
  });

  it.each([
    [{ type: 'hello', protocol: 'airlock-control/2' }, 'protocol-mismatch'],
    [{ type: 'request', id: 1, verb: 'host.describe', params: {} }, 'not-authenticated'],
    [{ type: 'ping', n: 1 }, 'not-authenticated'],
    [{ type: 'hello', protocol: PROTOCOL, token: 'x'.repeat(200) }, 'malformed-message'],
    ['hello', 'malformed-message'],
    [null, 'malformed-message'],
  ])('refuses and cuts a client that begins with anything else: %#', async (first, tag) => {
    const client = fixture.connect();
    client.send(first);
    await client.until(() => client.closed);
    expect(client.messages).toEqual([{ type: 'refused', error: expect.objectContaining({ tag }) }]);
  });

  it('refuses a binary frame before the welcome', async () => {
    const client = fixture.connect();
    client.input(1, 'x');
    await client.until(() => client.closed);
    expect(client.refusal?.tag).toBe('not-authenticated');
  });

  it('refuses a client that does not wait for its welcome', async () => {
    const client = fixture.connect();
    client.send({ type: 'hello', protocol: PROTOCOL });
    client.send({ type: 'hello', protocol: PROTOCOL });
    await client.until(() => client.closed);
    expect(client.refusal?.tag).toBe('malformed-message');
  });

  it(`cuts a client that says nothing for ${HELLO_DEADLINE_MS} ms`, async () => {
    vi.useFakeTimers();
    const carrier = new RecordingCarrier();
    fixture.host.connect(carrier, async () => ok(undefined));
    vi.advanceTimersByTime(HELLO_DEADLINE_MS - 1);
    expect(carrier.isOpen).toBe(true);
    vi.advanceTimersByTime(1);
    expect(carrier.isOpen).toBe(false);
    expect(carrier.sent).toMatchObject([{ type: 'refused', error: { tag: 'not-authenticated' } }]);
  });
});

describe('messages that break the protocol', () => {
  it.each<[string, unknown]>([
    ['a string', 'x'],
    ['a list', []],
    ['no type', {}],
    ['an unknown type', { type: 'shout' }],
    ['a host message', { type: 'welcome', protocol: PROTOCOL }],
    ['a request without a number', { type: 'request', verb: 'host.describe' }],
    ['a request with the number 0', { type: 'request', id: 0, verb: 'host.describe' }],
    ['a second hello', { type: 'hello', protocol: PROTOCOL }],
    ['parsed of a channel that never was', { type: 'parsed', channel: 7, total: 1 }],
    ['a negative total', { type: 'parsed', channel: 1, total: -1 }],
    ['a fraction of a total', { type: 'parsed', channel: 1, total: 0.5 }],
    ['a word for a number', { type: 'ping', n: 'toString' }],
    ['what JSON does not have', { type: 'ping', n: 1n }],
    [
      'too large a message',
      { type: 'request', id: 1, verb: 'x', params: 'x'.repeat(CONTROL_MESSAGE_MAX_BYTES) },
    ],
  ])('%s: refused, cut, sessions released', async (_name, message) => {
    const client = await fixture.client();
    await client.open();
    client.send(message);
    await client.until(() => client.closed);
    expect(client.refusal?.message).toMatch(/\.$/);
    await eventually(() => expect(fixture.host.registry.size).toBe(0));
    expect(terminal().log).toContain('release');
  });

  it.each<[string, Uint8Array]>([
    ['an empty frame', new Uint8Array()],
    ['an output frame', Uint8Array.of(1, 0, 0, 0, 1, 65)],
    ['an unknown origin', Uint8Array.of(2, 0, 0, 0, 1, 9, 65)],
    ['a frame that is too long', new Uint8Array(INPUT_FRAME_MAX_BYTES + 7).fill(2, 0, 1)],
    [
      'a channel that never was (ST-28)',
      encodeInput({ channel: 2, origin: 'typed', bytes: Buffer.from('x') }),
    ],
  ])('%s: refused and cut', async (_name, frame) => {
    const client = await fixture.client();
    await client.open();
    client.sendFrame(frame);
    await client.until(() => client.closed);
    expect(client.refusal).toBeDefined();
    expect(terminal().written).toBe('');
  });

  it('a malformed request whose number is legible gets its answer', async () => {
    const client = await fixture.client();
    const answer = await client.requestAny('x'.repeat(65), {});
    expect(answer).toMatchObject({
      ok: false,
      error: { tag: 'malformed-message', message: expect.stringContaining('verb must be at most 64') },
    });
    expect(client.closed).toBe(false);
  });
});

describe('bounds', () => {
  it(`at most ${REQUESTS_IN_FLIGHT_MAX} requests wait for their answer`, async () => {
    const client = await fixture.client();
    const probe = Promise.withResolvers<void>();
    vi.spyOn(engine, 'probe').mockImplementation(async () => {
      await probe.promise;
      return { kind: 'bubblewrap', name: '', usable: true, version: null, summary: '', fixes: [], notes: [] };
    });
    const waiting = Array.from({ length: REQUESTS_IN_FLIGHT_MAX }, () => client.request('engines.list', {}));
    expect(await client.request('host.describe', {})).toMatchObject({ error: { tag: 'too-many-requests' } });
    probe.resolve();
    expect((await Promise.all(waiting)).every((answer) => answer.ok)).toBe(true);
    expect((await client.request('host.describe', {})).ok).toBe(true);
    // One probe at a time, whoever asks.
    expect(engine.probe).toHaveBeenCalledTimes(1);
  });

  it('a client that asks and does not read is cut', async () => {
    const carrier = new RecordingCarrier();
    fixture.host.connect(carrier, async () => ok(undefined));
    carrier.listener.onControl({ type: 'hello', protocol: PROTOCOL });
    await eventually(() => expect(carrier.sent).toHaveLength(1));
    carrier.bufferedAmount = CARRIER_BUFFER_MAX_BYTES + 1;
    carrier.listener.onControl({ type: 'ping', n: 1 });
    expect(carrier.isOpen).toBe(false);
  });

  it('a client that says it has parsed and does not read is cut', async () => {
    const carrier = new RecordingCarrier();
    fixture.host.connect(carrier, async () => ok(undefined));
    carrier.listener.onControl({ type: 'hello', protocol: PROTOCOL });
    await eventually(() => expect(carrier.sent).toHaveLength(1));
    const params = { profileId: 'shell', size: { cols: 80, rows: 24 } };
    carrier.listener.onControl({ type: 'request', id: 1, verb: 'session.open', params });
    await eventually(() =>
      expect(carrier.sent.at(-1)).toMatchObject({ event: { state: { kind: 'running' } } }),
    );
    carrier.listener.onControl({ type: 'parsed', channel: 1, total: Number.MAX_SAFE_INTEGER });
    carrier.bufferedAmount = CARRIER_BUFFER_MAX_BYTES + 1;
    terminal().print('more');
    await eventually(() => expect(carrier.isOpen).toBe(false));
    await eventually(() => expect(fixture.host.registry.size).toBe(0));
  });
});

describe('the end of a client', () => {
  it('releases its sessions and nobody else’s (ST-23)', async () => {
    const [leaving, staying] = [await fixture.client(), await fixture.client()];
    await leaving.open();
    const kept = await staying.open();
    leaving.close();
    await eventually(() => expect(fixture.host.registry.size).toBe(1));
    expect(terminal(0).log).toContain('release');
    expect(terminal(1).log).not.toContain('release');
    expect(staying.states(kept.sessionId)).toEqual(['running']);
  });

  it('gives up what it was opening (ST-23)', async () => {
    const aborted = Promise.withResolvers<void>();
    engine.onOpen = (_terminal, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.resolve();
          reject(signal.reason);
        });
      });
    const client = await fixture.client();
    void client.open().catch(() => {});
    await eventually(() => expect(fixture.host.registry.size).toBe(1));
    client.close();
    await aborted.promise;
    await eventually(() => expect(fixture.host.registry.size).toBe(0));
  });

  it('a closing host tells its clients how their sessions ended, and lets nobody in', async () => {
    const client = await fixture.client();
    const { sessionId } = await client.open();
    await fixture.host.close('The host was stopped.');
    await client.until(() => client.closed);
    expect(client.events.map(({ event }) => event)).toContain('host.closing');
    expect(client.events.at(-1)).toMatchObject({
      event: 'session.state',
      sessionId,
      state: { kind: 'ended', cause: 'host-closing' },
    });
    const late = fixture.connect();
    await late.until(() => late.closed);
    expect(late.messages).toEqual([]);
  });

  it('and how their governed sessions ended, and opens none meanwhile', async () => {
    const client = await fixture.client();
    await client.open();
    const listed = await client.request('manifests.list', {});
    const manifestDigest = (listed.ok && listed.value.manifests[0]?.digest) || '';
    const open = () =>
      client.request('governed.open', { profileId: 'shell', size: { cols: 80, rows: 24 }, manifestDigest });
    const opened = await open();
    const sessionId = opened.ok ? opened.value.sessionId : '';
    const released = Promise.withResolvers<ReleaseReport>();
    terminal().onRelease = () => released.promise;

    const closed = fixture.host.close('The host was stopped.');
    await client.until(() => client.states(sessionId).includes('ended'));
    expect(
      client.events.findLast((event) => 'state' in event && event.sessionId === sessionId),
    ).toMatchObject({
      state: { kind: 'ended', cause: 'host-closing' },
    });
    expect(await open()).toMatchObject({ error: { tag: 'open-failed', message: 'Airlock is closing.' } });
    released.resolve({ removed: true, steps: [] });
    expect(await closed).toEqual({ sessions: 2, unconfirmed: 0 });
  });
});
