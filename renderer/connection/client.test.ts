import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeInput, OUTPUT_HEADER_BYTES, writeOutputHeader } from '../../shared/protocol/frames.ts';
import type { ClientMessage, HostMessage } from '../../shared/protocol/messages.ts';
import { PROTOCOL } from '../../shared/protocol/version.ts';
import { INPUT_FRAME_MAX_BYTES } from '../../shared/terminal/limits.ts';
import type { CarrierListener, Credential, OpenCarrier } from './carrier.ts';
import { Client } from './client.ts';
import type { ConnectionState } from './connection-state.ts';

const DESCRIPTION = {
  version: '0.1.0',
  host: 'headless',
  platform: 'linux',
  dataDir: '/data',
  settingsPath: '/data/settings.json',
} as const;

/** The host's end of a carrier, played by the test. */
class Host {
  readonly control: ClientMessage[] = [];
  readonly frames: Uint8Array[] = [];
  readonly admissions: boolean[] = [];
  closed = false;
  #listener: CarrierListener | null = null;

  opener(credential: Credential = {}): OpenCarrier {
    return async (listener) => {
      this.#listener = listener;
      const carrier = {
        bufferedAmount: 0,
        sendControl: (message: ClientMessage) => this.control.push(message),
        sendFrame: (frame: Uint8Array<ArrayBuffer>) => this.frames.push(frame),
        admitted: (isIn: boolean) => this.admissions.push(isIn),
        close: () => {
          this.closed = true;
        },
      };
      return { kind: 'open', carrier, credential };
    };
  }

  say(message: HostMessage): void {
    this.#listener?.onControl(message);
  }

  sayAnything(message: unknown): void {
    this.#listener?.onControl(message);
  }

  output(channel: number, text: string): void {
    const bytes = new TextEncoder().encode(text);
    const frame = new Uint8Array(OUTPUT_HEADER_BYTES + bytes.length);
    writeOutputHeader(frame, channel);
    frame.set(bytes, OUTPUT_HEADER_BYTES);
    this.#listener?.onFrame(frame);
  }

  frame(data: Uint8Array): void {
    this.#listener?.onFrame(data);
  }

  lose(reason: string): void {
    this.#listener?.onClosed(reason);
  }

  get lastRequestId(): number {
    const request = this.control.findLast((message) => message.type === 'request');
    return request?.type === 'request' ? request.id : 0;
  }
}

let clients: Client[] = [];
beforeEach(() => {
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
});
afterEach(() => {
  for (const client of clients) client.dispose();
  clients = [];
  vi.unstubAllGlobals();
});

function clientOf(open: OpenCarrier): Client {
  const client = new Client(open);
  clients.push(client);
  return client;
}

async function connected() {
  const host = new Host();
  const client = clientOf(host.opener());
  const connecting = client.connect();
  await vi.waitFor(() => expect(host.control).toHaveLength(1));
  host.say({ type: 'welcome', protocol: PROTOCOL });
  await connecting;
  host.control.length = 0;
  return { host, client };
}

function collect(into: string[]) {
  const decoder = new TextDecoder();
  return { onOutput: (bytes: Uint8Array) => into.push(decoder.decode(bytes)) };
}

describe('greeting', () => {
  it('says hello with what it has, and keeps it once it is let in', async () => {
    const host = new Host();
    const client = clientOf(host.opener({ token: 'once', key: 'own' }));
    const states: ConnectionState['kind'][] = [];
    client.onState(({ kind }) => states.push(kind));
    const connecting = client.connect();
    await vi.waitFor(() => expect(host.control).toHaveLength(1));
    expect(host.control[0]).toEqual({ type: 'hello', protocol: PROTOCOL, token: 'once', key: 'own' });
    host.say({ type: 'welcome', protocol: PROTOCOL });
    await connecting;
    expect([states, host.admissions, client.state.kind]).toEqual([
      ['connecting', 'connected'],
      [true],
      'connected',
    ]);
  });

  it('is signed out when refused, and forgets a key that is no longer good', async () => {
    const host = new Host();
    const client = clientOf(host.opener({ key: 'old' }));
    const connecting = client.connect();
    await vi.waitFor(() => expect(host.control).toHaveLength(1));
    host.say({ type: 'refused', error: { tag: 'not-authenticated', message: 'Open the new address.' } });
    await connecting;
    expect(client.state).toEqual({ kind: 'signed-out', reason: 'Open the new address.' });
    expect([host.admissions, host.closed]).toEqual([[false], true]);
  });

  it.each([
    ['another protocol', { type: 'welcome', protocol: 'airlock-control/2' }, 'signed-out'],
    ['an event first', { type: 'event', event: { event: 'host.closing', reason: 'x' } }, 'lost'],
    ['nonsense', { type: 'hi' }, 'lost'],
    ['no object', 'welcome', 'lost'],
  ])('does not go on after %s', async (_name, message, kind) => {
    const host = new Host();
    const client = clientOf(host.opener());
    const connecting = client.connect();
    await vi.waitFor(() => expect(host.control).toHaveLength(1));
    host.sayAnything(message);
    await connecting;
    expect([client.state.kind, host.closed]).toEqual([kind, true]);
  });

  it('says why there is no carrier, and can try again', async () => {
    const host = new Host();
    let attempts = 0;
    const client = clientOf(async (listener, signal) => {
      attempts += 1;
      if (attempts > 1) return host.opener()(listener, signal);
      return { kind: 'failed', reason: 'not reached' };
    });
    await client.connect();
    expect(client.state).toEqual({ kind: 'lost', reason: 'not reached' });
    const again = client.connect();
    await vi.waitFor(() => expect(host.control).toHaveLength(1));
    host.say({ type: 'welcome', protocol: PROTOCOL });
    await again;
    expect(client.state.kind).toBe('connected');
  });
});

it('a carrier that the browser forbids is a lost link with the reason', async () => {
  const client = clientOf(() => Promise.reject(new Error('storage is blocked')));
  await client.connect();
  expect(client.state).toMatchObject({ kind: 'lost', reason: expect.stringContaining('storage is blocked') });
});

describe('requests', () => {
  it('bring each answer to its question', async () => {
    const { host, client } = await connected();
    const first = client.request('host.describe', {});
    const firstId = host.lastRequestId;
    const second = client.request('session.end', { sessionId: '00000000-0000-4000-8000-000000000001' });
    host.say({
      type: 'failure',
      id: host.lastRequestId,
      ok: false,
      error: { tag: 'session-unknown', message: 'no' },
    });
    host.say({ type: 'reply', id: firstId, ok: true, result: DESCRIPTION });
    expect(await first).toEqual({ ok: true, value: DESCRIPTION });
    expect(await second).toEqual({ ok: false, error: { tag: 'session-unknown', message: 'no' } });
  });

  it('tell a result that is not what the verb promises', async () => {
    const { host, client } = await connected();
    const answer = client.request('host.describe', {});
    host.say({ type: 'reply', id: host.lastRequestId, ok: true, result: { version: 7 } });
    expect(await answer).toMatchObject({ ok: false, error: { tag: 'malformed-message' } });
    expect(client.state.kind).toBe('connected');
  });

  it('fail when the link is lost before the answer, and after it', async () => {
    const { host, client } = await connected();
    const answer = client.request('host.describe', {});
    host.lose('gone');
    expect(await answer).toMatchObject({ ok: false, error: { tag: 'connection-lost' } });
    expect(await client.request('host.describe', {})).toMatchObject({ error: { tag: 'connection-lost' } });
    expect(client.state).toEqual({ kind: 'lost', reason: 'gone' });
  });
});

describe('sessions', () => {
  it('get their output and nobody else’s, what came early first', async () => {
    const { host, client } = await connected();
    const one: string[] = [];
    const two: string[] = [];
    host.output(1, 'early ');
    client.attachSession(1, collect(one));
    client.attachSession(2, collect(two));
    host.output(2, 'b');
    host.output(1, 'late');
    expect([one, two]).toEqual([['early ', 'late'], ['b']]);
  });

  it('have their state after their last output (ST-21)', async () => {
    const { host, client } = await connected();
    const seen: string[] = [];
    client.attachSession(1, collect(seen));
    client.onEvent(({ event }) => seen.push(event));
    host.output(1, 'last');
    host.say({ type: 'event', event: { event: 'host.closing', reason: 'bye' } });
    expect(seen).toEqual(['last', 'host.closing']);
  });

  it('get nothing once their pane has left', async () => {
    const { host, client } = await connected();
    const seen: string[] = [];
    client.attachSession(1, collect(seen)).dispose();
    host.output(1, 'x');
    client.attachSession(1, collect(seen));
    expect(seen).toEqual([]);
  });

  it('send input in frames, and say what they parsed', async () => {
    const { host, client } = await connected();
    client.sendInput(5, 'paste', new Uint8Array(INPUT_FRAME_MAX_BYTES + 1));
    client.parsed(5, 123, 4_000);
    expect(host.frames.map((frame) => decodeInput(frame)?.bytes.length)).toEqual([INPUT_FRAME_MAX_BYTES, 1]);
    expect(host.control).toEqual([{ type: 'parsed', channel: 5, total: 123, ahead: 4_000 }]);
  });

  it('refuse keys after the loss, and a new link replays none (B27)', async () => {
    const { host, client } = await connected();
    host.lose('gone');
    expect(client.sendInput(1, 'typed', Uint8Array.of(0x61))).toMatchObject({
      ok: false,
      error: { tag: 'connection-lost' },
    });
    const again = client.connect();
    await vi.waitFor(() => expect(host.control).toHaveLength(1));
    host.say({ type: 'welcome', protocol: PROTOCOL });
    await again;
    expect([client.state.kind, host.frames]).toEqual(['connected', []]);
  });
});

describe('the link', () => {
  it('answers a ping, and asks itself when the page wakes (B27)', async () => {
    const { host } = await connected();
    host.say({ type: 'ping', n: 9 });
    expect(host.control).toEqual([{ type: 'pong', n: 9 }]);
    window.dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(host.control.slice(1).map(({ type }) => type)).toEqual(['ping', 'ping']);
  });

  it.each([
    ['a frame that is none', (host: Host) => host.frame(Uint8Array.of(9, 9))],
    ['a message that is none', (host: Host) => host.sayAnything({ type: 'event', event: { event: 'new' } })],
    ['a second welcome', (host: Host) => host.say({ type: 'welcome', protocol: PROTOCOL })],
  ])('ends with %s', async (_name, act) => {
    const { host, client } = await connected();
    act(host);
    expect([client.state.kind, host.closed]).toEqual(['lost', true]);
    const seen: string[] = [];
    client.onEvent(({ event }) => seen.push(event));
    host.say({ type: 'event', event: { event: 'host.closing', reason: 'late' } });
    expect(seen).toEqual([]);
  });
});
