import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { PROTOCOL } from '../../shared/protocol/version.ts';
import { CONNECTIONS_MAX, CONTROL_MESSAGE_MAX_BYTES, LIVENESS } from '../../shared/terminal/limits.ts';
import type { ReleaseReport } from '../../shared/terminal/outcome.ts';
import { eventually } from '../connection/testing/eventually.ts';
import { MemoryEngine, type MemoryTerminal } from '../session/testing/memory-sandbox.ts';
import { HttpHost } from './server.ts';
import { launchWith } from './testing/launch.ts';
import { ServedHost } from './testing/served-host.ts';

const HANDSHAKE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==',
];

let engine: MemoryEngine;
let served: ServedHost;

beforeEach(async () => {
  engine = new MemoryEngine();
  served = await ServedHost.start(engine);
});

afterEach(() => served.dispose());

describe('the page', () => {
  it.each([
    ['/', 'text/html; charset=utf-8', 'no-cache'],
    ['/index.html', 'text/html; charset=utf-8', 'no-cache'],
    ['/assets/main-1a2b.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/main-1a2b.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/font-1a2b.woff2', 'font/woff2', 'public, max-age=31536000, immutable'],
  ])('%s is served with its type', async (path, type, caching) => {
    const { status, headers } = await served.get(path);
    expect({ status, type: headers['content-type'], caching: headers['cache-control'] }).toEqual({
      status: 200,
      type,
      caching,
    });
  });

  it('comes with a policy that lets in nothing but its own files and its own socket', async () => {
    for (const path of ['/', '/assets/main-1a2b.js', '/missing']) {
      const { headers } = await served.get(path);
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy.sort()).toEqual([
        "base-uri 'none'",
        `connect-src 'self' ws://127.0.0.1:${served.http.port}`,
        "default-src 'none'",
        "font-src 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
      ]);
      expect(headers).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  it.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/../../../etc/passwd',
    '/..\\..\\etc\\passwd',
    '//etc/passwd',
    '/%00',
    '/%',
    '/.git/config',
    '/index.html/..',
  ])('%s names no file', async (path) => {
    const { status, body } = await served.get(path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).not.toMatch(/root:|"name"/);
  });

  it.each(['bytes=5-2', 'bytes=0-0', 'bytes=999-', 'bytes=-5', 'x'])(
    'is served whole when a part is asked for (%s)',
    async (range) => {
      const { status, body } = await served.get('/', { Range: range });
      expect({ status, body }).toEqual({ status: 200, body: '<!doctype html><title>Airlock</title>' });
    },
  );

  it('is served as it was when the host started, whatever is built meanwhile', async () => {
    rmSync(join(served.pageFolder, 'assets'), { recursive: true });
    expect(await served.get('/assets/main-1a2b.js')).toMatchObject({ status: 200, body: 'export {};' });
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is not answered', async (method) => {
    expect((await served.get('/', {}, method)).status).toBe(405);
  });
});

describe('who may ask', () => {
  it.each([
    ['evil.example', 421],
    ['evil.example:PORT', 421],
    ['127.0.0.1', 421],
    ['127.0.0.1:1', 421],
    ['127.0.0.1.evil.example:PORT', 421],
    ['localhost.:PORT', 421],
    ['0.0.0.0:PORT', 421],
    ['localhost:PORT', 200],
    ['127.0.0.1:PORT', 200],
  ])('Host %j: %i', async (name, expected) => {
    const host = name.replace('PORT', String(served.http.port));
    expect((await served.get('/', { Host: host })).status).toBe(expected);
    const origin = { Origin: `http://${host}` };
    const upgraded = await served.upgrade({ Host: host, ...origin });
    expect(typeof upgraded === 'number' ? upgraded : 200).toBe(expected);
    if (typeof upgraded !== 'number') upgraded.close();
  });

  it.each([
    'https://evil.example',
    'http://127.0.0.1:1',
    'http://127.0.0.1',
    'https://127.0.0.1:PORT',
    'http://localhost:PORT',
    'http://127.0.0.1:PORT.evil.example',
    'null',
    '',
  ])('a page of %j cannot open a socket', async (name) => {
    const origin = name.replace('PORT', String(served.http.port));
    expect(await served.upgrade({ Origin: origin })).toBe(403);
  });

  it('what names no page or two pages cannot open a socket, nor at another path', async () => {
    expect(await rawUpgrade([`Host: 127.0.0.1:${served.http.port}`])).toMatch(/^HTTP\/1.1 403 /);
    expect(
      await rawUpgrade([
        `Host: 127.0.0.1:${served.http.port}`,
        `Origin: ${served.origin}`,
        'Origin: http://evil.example',
      ]),
    ).toMatch(/^HTTP\/1.1 4/);
    expect(await served.upgrade({}, '/')).toBe(404);
    expect(await served.upgrade({}, '/connection/x')).toBe(404);
  });

  it('who is refused and never closes its end keeps no place, nor the host from ending', async () => {
    const stubborn = connect({ port: served.http.port, host: '127.0.0.1', allowHalfOpen: true });
    stubborn.on('error', () => {});
    const closed = new Promise((resolve) => stubborn.on('end', resolve));
    stubborn.write(
      `GET /connection HTTP/1.1\r\n${HANDSHAKE.join('\r\n')}\r\nHost: 127.0.0.1:${served.http.port}\r\n\r\n`,
    );
    stubborn.resume();
    await closed;
    await served.http.close();
    stubborn.destroy();
  });

  it('listens on loopback only', async () => {
    const wildcard = await HttpHost.listen({
      port: served.http.port,
      pageFolder: '',
      connect: () => fail(),
    }).catch((error: NodeJS.ErrnoException) => error.code);
    expect(wildcard).toBe('EADDRINUSE');
    const addresses = await import('node:os').then(({ networkInterfaces }) =>
      Object.values(networkInterfaces()).flat(),
    );
    const others = addresses.filter((entry) => entry?.family === 'IPv4' && !entry.internal);
    for (const other of others) {
      await expect(reach(other?.address as string)).resolves.toBe('ECONNREFUSED');
    }
  });

  function fail(): never {
    throw new Error('nobody connects here');
  }

  function reach(address: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      const socket = connect(served.http.port, address, () => {
        socket.destroy();
        resolve('reached');
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
  }

  it('a request that names no host is not answered with the page', async () => {
    expect(await raw(['GET / HTTP/1.0'])).toMatch(/^HTTP\/1.1 421 /);
    expect(await raw(['GET / HTTP/1.1'])).toMatch(/^HTTP\/1.1 400 /);
  });

  function raw(lines: string[]): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(served.http.port, '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('close', () => resolve(answer));
      socket.end(`${lines.join('\r\n')}\r\n\r\n`);
    });
  }

  function rawUpgrade(headers: string[]): Promise<string> {
    return raw(['GET /connection HTTP/1.1', ...HANDSHAKE, ...headers]);
  }
});

describe('signing in', () => {
  it('a token works once, its key from then on', async () => {
    const { token, key } = served.launch();
    const first = (await served.connect()).client;
    expect(await first.hello({ token, key })).toEqual({ type: 'welcome', protocol: PROTOCOL });

    const [again, reloaded] = [(await served.connect()).client, (await served.connect()).client];
    expect(await again.hello(launchWith(token))).toMatchObject({
      type: 'refused',
      error: { tag: 'not-authenticated' },
    });
    await again.until(() => again.closed);
    expect(await reloaded.hello({ key })).toEqual({ type: 'welcome', protocol: PROTOCOL });
  });

  it.each([{}, { token: 'wrong' }, { key: 'wrong' }, { token: '', key: '' }])(
    '%j is refused and cut',
    async (credential) => {
      const { client } = await served.connect();
      expect(await client.hello(credential)).toMatchObject({
        type: 'refused',
        error: { tag: 'not-authenticated' },
      });
      await client.until(() => client.closed);
    },
  );

  it('two tabs with the same key are two clients: neither reaches the other’s session (ST-28)', async () => {
    const first = (await served.connect()).client;
    const { token, key } = served.launch();
    await first.hello({ token, key });
    const second = (await served.connect()).client;
    await second.hello({ key });
    const { sessionId, channel } = await first.open();
    expect(await second.request('session.end', { sessionId })).toMatchObject({
      error: { tag: 'session-unknown' },
    });
    second.input(channel, 'rm -rf /\r');
    await second.until(() => second.closed);
    expect(second.refusal?.tag).toBe('session-unknown');
    expect((engine.terminals[0] as MemoryTerminal).written).toBe('');
    expect(first.closed).toBe(false);
  });

  it(`at most ${CONNECTIONS_MAX.greeting} clients can be on their way in; those inside are not counted`, async () => {
    const inside = await served.client();
    const greeting: WebSocket[] = [];
    for (let n = 0; n < CONNECTIONS_MAX.greeting; n += 1) greeting.push((await served.connect()).socket);
    expect(await served.upgrade()).toBe(503);
    expect((await inside.request('host.describe', {})).ok).toBe(true);
    greeting[0]?.close();
    await eventually(async () => expect(await served.upgrade()).not.toBe(503));
  });

  it('clients that are gone and whose sessions are still being released take no place', async () => {
    const released = Promise.withResolvers<ReleaseReport>();
    engine.onOpen = async (terminal) => {
      terminal.onRelease = () => released.promise;
    };
    for (let n = 0; n < CONNECTIONS_MAX.greeting; n += 1) {
      const client = await served.client();
      await client.open();
      client.close();
    }
    await eventually(() => {
      for (const terminal of engine.terminals) expect(terminal.log).toContain('release');
    });
    expect(served.fixture.host.sessionCount).toBe(CONNECTIONS_MAX.greeting);
    expect(await served.upgrade()).not.toBe(503);
    released.resolve({ removed: true, steps: [] });
  });
});

describe('what a socket may send', () => {
  it('a message over the bound is cut by the socket itself, and the sessions are released', async () => {
    const { client, socket } = await served.connect();
    await client.hello(served.launch());
    await client.open();
    const code = new Promise((resolve) => socket.on('close', resolve));
    socket.send('x'.repeat(CONTROL_MESSAGE_MAX_BYTES + 1));
    expect(await code).toBe(1009);
    await eventually(() => expect(served.fixture.host.registry.size).toBe(0));
  });

  it('what is not JSON is refused and cut', async () => {
    const client = await served.client();
    client.send('{"type":');
    await client.until(() => client.closed);
    expect(client.refusal).toMatchObject({ tag: 'malformed-message', message: 'The message is not JSON.' });
  });

  it('a socket that ends without a farewell releases its sessions (ST-23)', async () => {
    const { client, socket } = await served.connect();
    await client.hello(served.launch());
    await client.open();
    socket.terminate();
    await eventually(() => expect(served.fixture.host.registry.size).toBe(0));
    expect((engine.terminals[0] as MemoryTerminal).log).toContain('release');
  });

  it('no message is compressed', async () => {
    const { socket } = await served.connect();
    expect(socket.extensions).toBe('');
    socket.close();
  });
});

it('B27 a client whose process stands still is found, and its sessions are released', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { client, socket } = await served.connect();
  await client.hello(served.launch());
  await client.open();
  // The socket answers pings by itself: it is left alone.
  for (let n = 0; n < 2 * LIVENESS.missedMax; n += 1) {
    const asked = new Promise((resolve) => socket.once('ping', resolve));
    vi.advanceTimersByTime(LIVENESS.intervalMs);
    await asked;
    await client.request('host.describe', {});
  }
  // Nothing is read from now on, as after SIGSTOP: no answer comes, and no close either.
  socket.pause();
  vi.advanceTimersByTime(30_000);
  vi.useRealTimers();
  await eventually(() => expect(served.fixture.host.registry.size).toBe(0));
  socket.terminate();
});
