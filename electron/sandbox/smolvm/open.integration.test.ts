import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../engine.ts';
import { Authority, hasOpenssl, read as pem } from './testing/certificates.ts';
import { echo, machine, response, SmolvmPeer, switching } from './testing/peer.ts';
import { read, smolvmWorkbench } from './testing/workbench.ts';

/** Long enough for a loaded machine to answer, short enough to be waited for. */
const [HANDSHAKE_MS, READ_MS, CHANGE_MS] = [2_000, 2_000, 2_000];
const bench = smolvmWorkbench({ handshakeMs: HANDSHAKE_MS, readMs: READ_MS, changeMs: CHANGE_MS });

async function failureOf(opening: Promise<unknown>): Promise<{ tag: string; message: string }> {
  const error = await opening.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EngineError);
  const { tag, message } = error as EngineError;
  return { tag, message };
}

const isBlocked = async () => {
  const unresolved = await bench.engine.machines.unresolved();
  return unresolved.ok && unresolved.value.some(({ machine }) => machine === 'dev');
};

describe('an upgrade that is not one', () => {
  const SECRET = 'the words of the server';

  it.each([
    ['400 with text', response(400, SECRET), 'open-failed', 'status 400'],
    ['401', response(401, { message: SECRET }), 'engine-unavailable', 'does not accept the token'],
    ['403', response(403, { message: SECRET }), 'engine-unavailable', 'does not accept the token'],
    ['404 with JSON', response(404, { error: SECRET, code: 'NOT_FOUND' }), 'open-failed', 'status 404'],
    ['408 without a body', response(408, undefined), 'open-failed', 'status 408'],
    ['409', response(409, { error: SECRET, code: 'CONFLICT' }), 'open-failed', 'status 409'],
    ['426', response(426, SECRET), 'open-failed', 'status 426'],
    ['429', response(429, SECRET), 'open-failed', 'status 429'],
    ['500', response(500, { error: SECRET, code: 'INTERNAL_ERROR' }), 'open-failed', 'status 500'],
    ['503', response(503, { error: SECRET, code: 'UNAVAILABLE' }), 'open-failed', 'status 503'],
    ['200', response(200, SECRET), 'open-failed', 'status 200'],
    ['200 with a huge body', response(200, SECRET.repeat(100_000)), 'open-failed', 'status 200'],
  ])(
    '13: %s: one attempt, no word of the body, and the machine is blocked',
    async (_case, raw, tag, words) => {
      bench.peer.answersUpgrade = (_request, socket) => socket.end(raw) !== undefined;
      const failure = await failureOf(bench.open());
      expect(failure).toMatchObject({ tag, message: expect.stringContaining(words) });
      expect(failure.message).not.toContain(SECRET);
      expect(bench.peer.upgrades).toHaveLength(1);
      expect(await isBlocked()).toBe(true);
      await bench.peer.until(() => bench.peer.sockets.size === 0);
    },
  );

  it('13: a body without end is not waited for', async () => {
    bench.peer.answersUpgrade = (_request, socket) => {
      socket.write('HTTP/1.1 500 Error\r\nTransfer-Encoding: chunked\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`));
        if (!socket.destroyed) socket.once('drain', more);
      };
      more();
      return true;
    };
    expect((await failureOf(bench.open())).message).toContain('status 500');
    await bench.peer.until(() => bench.peer.sockets.size === 0);
  });

  it.each([301, 302, 307, 308])('14: a redirect with %d is a failure, and not followed', async (status) => {
    const second = await SmolvmPeer.listen();
    bench.tokens.save('vm', bench.peer.address, 'secret-token');
    bench.peer.answersUpgrade = (request, socket) => {
      const Location = `${second.address}${request.path}`;
      return socket.end(response(status, undefined, { Location })) !== undefined;
    };
    expect((await failureOf(bench.open())).message).toContain(`status ${status}`);
    expect([second.connections, second.requests.length]).toEqual([0, 0]);
    await second.close();
  });

  it('14: nor is one of the REST API', async () => {
    const second = await SmolvmPeer.listen();
    bench.peer.answers = ({ path }, socket) =>
      path.startsWith('/api') &&
      socket.end(response(307, undefined, { Location: second.address })) !== undefined;
    expect((await failureOf(bench.open())).message).toContain('status 307');
    expect([second.connections, bench.peer.upgrades.length]).toEqual([0, 0]);
    await second.close();
  });

  it.each([
    ['a wrong accept key', { 'Sec-WebSocket-Accept': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }],
    ['a subprotocol', { 'Sec-WebSocket-Protocol': 'shell' }],
    ['an extension', { 'Sec-WebSocket-Extensions': 'permessage-deflate' }],
    ['another upgrade', { Upgrade: 'h2c' }],
    ['no upgrade', { Upgrade: null }],
  ])('15: a 101 with %s is a failure', async (_case, changes) => {
    bench.peer.answersUpgrade = (request, socket) => socket.write(switching(request, changes));
    const failure = await failureOf(bench.open());
    expect(failure).toMatchObject({ tag: 'open-failed', message: expect.stringContaining('not opened') });
    expect(await isBlocked()).toBe(true);
    await bench.peer.until(() => bench.peer.sockets.size === 0);
  });

  it.each([
    ['nothing', () => {}],
    ['half a status line', (socket: net.Socket) => socket.write('HTTP/1.1 10')],
    [
      'a head that drips',
      (socket: net.Socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\n');
        const timer = setInterval(() => socket.write('x-drip: 1\r\n'), 50);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ])('16: %s: fails at the absolute deadline, and closes', async (_case, answer) => {
    bench.peer.answersUpgrade = (_request, socket) => {
      answer(socket);
      return true;
    };
    const started = performance.now();
    expect((await failureOf(bench.open())).message).toContain('not opened in time');
    expect(performance.now() - started).toBeLessThan(2 * HANDSHAKE_MS);
    await bench.peer.until(() => bench.peer.sockets.size === 0);
  });

  it('16: a head of 17 KiB fails at once', async () => {
    bench.peer.answersUpgrade = (_request, socket) =>
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nx-large: ${'x'.repeat(17 * 1024)}\r\n`);
    expect((await failureOf(bench.open())).message).toContain('head of its answer is too large');
    await bench.peer.until(() => bench.peer.sockets.size === 0);
  });

  it('16: a server that accepts and says nothing fails in the preflight, which touches nothing', async () => {
    bench.peer.silent = true;
    expect(await failureOf(bench.open())).toMatchObject({ tag: 'engine-unavailable' });
    await bench.peer.until(() => bench.peer.sockets.size === 0);
    expect(await isBlocked()).toBe(false);
  });

  it('is given up when nobody wants it any more, and says what may be left of it', async () => {
    const abort = new AbortController();
    bench.peer.answersUpgrade = () => {
      abort.abort();
      return true;
    };
    await expect(bench.open({}, abort.signal)).rejects.toMatchObject({
      message: expect.stringContaining('The opening was cancelled.'),
      left: expect.stringMatching(/^Whether a program was started is not known: .*"dev".*resolved\.$/),
    });
    await bench.peer.until(() => bench.peer.sockets.size === 0);
  });
});

describe('endpoints', () => {
  it.skipIf(!hasOpenssl())(
    '23: TLS with its authority, and a client certificate where it is demanded',
    async () => {
      const ours = new Authority(bench.folder, 'ours');
      const server = ours.issue('localhost');
      const client = ours.issue('client');
      const other = new Authority(bench.folder, 'other');
      const ca = pem({ certificate: ours.certificate, key: ours.certificate }).cert;
      const peer = await bench.useTcp({ ...pem(server), ca, requestCert: true, rejectUnauthorized: true });
      const right = {
        certificateAuthority: ours.certificate,
        clientCertificate: client.certificate,
        clientKey: client.key,
      };

      const { terminal, bytes } = read(await bench.open(right));
      expect(bytes.length).toBe(0);
      peer.terminals[0]?.exit(0);
      expect(await terminal.ended).toEqual({ kind: 'exited', code: 0 });
      const asked = peer.requests.length;

      const untrusted = await failureOf(bench.open({ ...right, certificateAuthority: other.certificate }));
      expect(untrusted).toMatchObject({
        tag: 'engine-unavailable',
        message: expect.stringContaining('not from a known authority'),
      });
      const unknownHost = { ...right, address: peer.address.replace('localhost', '127.0.0.1') };
      expect((await failureOf(bench.open(unknownHost))).message).toContain('for another host');
      bench.tokens.save('vm', peer.address, 'a-token');
      const without = await failureOf(bench.open({ certificateAuthority: ours.certificate }));
      expect(without.tag).toBe('engine-unavailable');
      expect(peer.requests.length).toBe(asked);
      expect(peer.terminals).toHaveLength(1);
    },
  );

  it.skipIf(!hasOpenssl())('23: a certificate that has expired', async () => {
    const ours = new Authority(bench.folder, 'ours');
    const peer = await bench.useTcp(pem(ours.issue('localhost', true)));
    bench.tokens.save('vm', peer.address, 'a-token');
    const failure = await failureOf(bench.open({ certificateAuthority: ours.certificate }));
    expect(failure.message).toContain('certificate has expired');
    expect(peer.requests).toEqual([]);
  });

  it.skipIf(!hasOpenssl())('23: https with an authority and a token alone', async () => {
    const ours = new Authority(bench.folder, 'ours');
    const peer = await bench.useTcp(pem(ours.issue('localhost')));
    const security = { certificateAuthority: ours.certificate };
    expect(await failureOf(bench.open(security))).toMatchObject({
      tag: 'profile-invalid',
      message: expect.stringContaining('needs a token or a client certificate'),
    });
    expect(peer.connections).toBe(0);
    peer.token = 'a-token';
    bench.tokens.save('vm', peer.address, 'a-token');
    await bench.open(security);
    expect(peer.terminals).toHaveLength(1);
  });

  it('24: a Unix socket; the token goes with every request, once, and to this address alone', async () => {
    bench.peer.token = 'right-token';
    bench.tokens.save('vm', bench.peer.address, 'right-token');
    await bench.open();
    const sent = bench.peer.requests.map(({ headers }) => headers.get('authorization'));
    expect(sent).toEqual(sent.map(() => 'Bearer right-token'));
    expect(bench.peer.upgrades).toHaveLength(1);
    expect(bench.peer.upgrades[0]?.headers.get('host')).toBe('localhost');
    expect(bench.peer.upgrades[0]?.headers.has('sec-websocket-extensions')).toBe(false);
    expect(bench.peer.upgrades[0]?.headers.has('origin')).toBe(false);
    const thief = await SmolvmPeer.listen();
    await failureOf(bench.open({ address: thief.address, machine: 'nothing' }));
    expect(thief.requests.length).toBeGreaterThan(0);
    expect(thief.requests.every(({ headers }) => !headers.has('authorization'))).toBe(true);
    await thief.close();
  });

  it('24: a wrong token is said, and touches nothing', async () => {
    bench.peer.token = 'right-token';
    bench.tokens.save('vm', bench.peer.address, 'wrong-token');
    const failure = await failureOf(bench.open());
    expect(failure).toMatchObject({
      tag: 'engine-unavailable',
      message: expect.stringContaining('let this profile in'),
    });
    expect(failure.message).not.toContain('wrong-token');
    expect(bench.peer.upgrades).toEqual([]);
    expect(await isBlocked()).toBe(false);
  });

  it('a socket whose path has a colon, and a program with every kind of character', async () => {
    await bench.peer.close();
    bench.peer = await SmolvmPeer.listen({ path: join(bench.folder, 'a:b.sock') });
    const profile = bench.profile({}, { command: ['/opt/a b+c&d=é%20'] });
    const terminal = await bench.engine.open(
      { sessionId: 's', profile, project: null },
      { cols: 65_535, rows: 1 },
      new AbortController().signal,
    );
    const [{ query } = { query: new URLSearchParams() }] = bench.peer.upgrades;
    expect(Object.fromEntries(query)).toEqual({ cmd: '/opt/a b+c&d=é%20', cols: '65535', rows: '1' });
    bench.peer.terminals[0]?.exit(0);
    await terminal.ended;
  });

  it('nothing that listens, and no socket', async () => {
    const { address } = bench.peer;
    await bench.peer.close();
    expect((await failureOf(bench.open({ address }))).message).toContain('there is no such socket');
    bench.peer = await SmolvmPeer.listen();
    const free = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => free.once('listening', resolve));
    const { port } = free.address() as net.AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const nobody = await failureOf(bench.open({ address: `http://127.0.0.1:${port}` }));
    expect(nobody).toMatchObject({
      tag: 'engine-unavailable',
      message: expect.stringContaining('nothing listens there'),
    });
  });

  it.each([
    ['address', { address: '' }, 'must name what it opens: Address (smolvm.address).'],
    ['address', { address: 'http://10.0.0.1:8080' }, 'Address (smolvm.address) must use https'],
    ['machine', { machine: '' }, 'must name what it opens: Machine (smolvm.machine).'],
    ['machine', { machine: '../other' }, 'Machine (smolvm.machine) must name a machine'],
    ['machine', { machine: 'Upper' }, 'Machine (smolvm.machine) must name a machine'],
    ['certificateAuthority', { certificateAuthority: '/tmp/x' }, 'Address (smolvm.address) must be https'],
    [
      'certificateAuthority',
      { address: 'https://h:1', certificateAuthority: '/dev/zero' },
      'not a regular file',
    ],
    ['clientKey', { address: 'https://h:1', clientCertificate: '/tmp/x' }, 'must be named together'],
    [
      'clientKey',
      { address: 'https://h:1', clientCertificate: '/etc/hostname', clientKey: '/etc/hostname' },
      'must be PEM files',
    ],
    [
      'clientKey',
      { address: 'https://h:1', clientCertificate: '/nowhere', clientKey: '/nowhere' },
      'cannot be read',
    ],
  ])('a profile whose %s is wrong fails before anything is connected to', async (_field, settings, words) => {
    expect(await failureOf(bench.open(settings))).toEqual({
      tag: 'profile-invalid',
      message: expect.stringContaining(words),
    });
    expect(bench.peer.connections).toBe(0);
  });

  it.each([
    ['arguments', { command: ['/bin/sh', '-l'] }, 'Program (command) must be without arguments'],
    [
      'a program that is too long',
      { command: [`/${'é'.repeat(2_048)}`] },
      'Program (command) must have 1 to 4096 bytes',
    ],
    ['a project', { project: '/home' }, 'Project folder (project) and Scratch folder (scratch) must be none'],
    ['variables', { environment: { A: '1' } }, 'Environment must be empty'],
  ])('a profile with %s is refused, not opened without', async (_case, more, words) => {
    const spec = { sessionId: 's', profile: bench.profile({}, more), project: null };
    const opening = bench.engine.open(spec, { cols: 80, rows: 24 }, new AbortController().signal);
    expect(await failureOf(opening)).toEqual({
      tag: 'profile-invalid',
      message: expect.stringContaining(words),
    });
    expect(bench.peer.connections).toBe(0);
  });
});

describe('25: a preflight that fails dispatches nothing', () => {
  it.each([
    [
      'another version',
      () => (bench.peer.version = '1.20.3'),
      'Version 1.20.3 of smolvm is not one of 1.17.0, 1.19.0, 1.20.2',
    ],
    [
      'an image that is missing',
      () => (bench.peer.machines = [machine('dev', { image: undefined })]),
      'has no image',
    ],
    ['an empty image', () => (bench.peer.machines = [machine('dev', { image: '' })]), 'has no image'],
    ['branchable', () => (bench.peer.machines = [machine('dev', { branchable: true })]), 'is branchable'],
    [
      'not a word of branchable',
      () => (bench.peer.machines = [machine('dev', { branchable: undefined })]),
      'is branchable',
    ],
    [
      'an unknown state',
      () => (bench.peer.machines = [machine('dev', { state: 'pausing' })]),
      'in the state "pausing"',
    ],
    [
      'a stopped machine',
      () => (bench.peer.machines = [machine('dev', { state: 'stopped' })]),
      'is stopped: start it',
    ],
    ['no such machine', () => (bench.peer.machines = []), 'There is no machine "dev"'],
    [
      'a state that is no word',
      () => (bench.peer.machines = [machine('dev', { state: '\u202erunning' })]),
      'not formed as it must be',
    ],
    [
      'a network that the profile does not allow',
      () => (bench.peer.machines = [machine('dev', { network: true })]),
      'Network is none',
    ],
    [
      'a network that is not known',
      () => (bench.peer.machines = [machine('dev', { network: undefined })]),
      'Network is none',
    ],
  ])('%s', async (_case, arrange, words) => {
    arrange();
    expect((await failureOf(bench.open())).message).toContain(words);
    expect(bench.peer.upgrades).toEqual([]);
    expect(await isBlocked()).toBe(false);
  });

  it('the name of another machine', async () => {
    bench.peer.answers = ({ path }, socket) =>
      path === '/api/v1/machines/dev' && socket.end(response(200, machine('prod'))) !== undefined;
    expect((await failureOf(bench.open())).message).toContain('described another machine than "dev"');
    expect(bench.peer.upgrades).toEqual([]);
  });

  it.each([
    ['no JSON', 'hello'],
    ['no version', { status: 'ok' }],
    ['another status', { status: 'starting', version: '1.20.2' }],
    ['a version that is none', { status: 'ok', version: '1.20.2 <b>' }],
    ['too much', { status: 'ok', version: '1.20.2', more: 'x'.repeat(2_000_000) }],
  ])('a health with %s', async (_case, body) => {
    bench.peer.answers = ({ path }, socket) =>
      path === '/health' && socket.end(response(200, body)) !== undefined;
    expect((await failureOf(bench.open())).tag).toBe('engine-unavailable');
    expect(bench.peer.upgrades).toEqual([]);
  });

  it.each(['1.17.0', '1.19.0', '1.20.2'])('version %s is one of those that are known', async (version) => {
    bench.peer.version = version;
    const terminal = await bench.open();
    expect(terminal.posture).toMatchObject({ engine: 'smolvm', engineVersion: version });
  });
});

describe('a machine that does not run', () => {
  it.each(['stopped', 'created'])('%s: is started where the profile allows it, once', async (state) => {
    bench.peer.machines = [machine('dev', { state })];
    await bench.open({ startMachine: true });
    const posts = bench.peer.requests.filter(({ method }) => method === 'POST');
    expect(posts.map(({ path, body }) => [path, body])).toEqual([['/api/v1/machines/dev/start', '{}']]);
  });

  it.each([true, undefined])(
    'is not started for a profile that its network (%s) is too much for',
    async (network) => {
      bench.peer.machines = [machine('dev', { state: 'stopped', network })];
      expect((await failureOf(bench.open({ startMachine: true }))).message).toContain('Network is none');
      expect(bench.peer.requests.every(({ method }) => method === 'GET')).toBe(true);
    },
  );

  it('is not upgraded when it does not run after all', async () => {
    bench.peer.machines = [machine('dev', { state: 'stopped' })];
    bench.peer.answers = ({ path }, socket) =>
      path.endsWith('/start') && socket.end(response(200, machine('dev'))) !== undefined;
    expect((await failureOf(bench.open({ startMachine: true }))).message).toContain('is stopped');
    expect(bench.peer.upgrades).toEqual([]);
  });

  it('one that runs is not started', async () => {
    await bench.open({ startMachine: true });
    expect(bench.peer.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('has as long to open as its start may take', () => {
    expect(bench.engine.openDeadlineMs(bench.profile())).toBe(HANDSHAKE_MS + 1_000);
    expect(bench.engine.openDeadlineMs(bench.profile({ startMachine: true }))).toBe(
      HANDSHAKE_MS + CHANGE_MS + 2 * READ_MS + 1_000,
    );
  });
});

it('the posture says what the server says', async () => {
  bench.peer.machines = [
    machine('dev', { memoryMb: 512, cpus: 1, mounts: [{ source: '/srv', target: '/data', readonly: true }] }),
  ];
  expect((await bench.open()).posture).toMatchObject({
    network: 'none',
    mounts: [{ source: '/srv', target: '/data', access: 'read-only' }],
    limits: { memoryBytes: 512 * 1024 * 1024, cpuPercent: 100, processes: 'unknown' },
  });
});

it('folders that the server does not speak of are unknown, not none', async () => {
  bench.peer.machines = [machine('dev', { mounts: undefined })];
  expect((await bench.open()).posture).toMatchObject({ mounts: [], filesUnknown: true });
});

describe('rule 10: one session of a machine', () => {
  it('at a time, and again after a confirmed end', async () => {
    bench.peer.program = echo;
    const { terminal } = read(await bench.open());
    expect((await failureOf(bench.open())).message).toContain('has a session already');
    const signal = new AbortController().signal;
    expect(await bench.engine.machines.stop(bench.profile(), 'dev', signal)).toMatchObject({
      ok: false,
      error: { kind: 'blocked' },
    });
    await terminal.write(Buffer.from('exit 3\r'));
    expect(await terminal.ended).toEqual({ kind: 'exited', code: 3 });
    await bench.open();
    expect(bench.peer.terminals).toHaveLength(2);
  });

  it('one whose end is not known blocks opening, stopping and deleting, over a restart, until it is resolved', async () => {
    const { terminal } = read(await bench.open());
    expect(await terminal.release()).toMatchObject({ removed: false });
    const upgrades = bench.peer.upgrades.length;
    bench.restart();
    const failure = await failureOf(bench.open());
    expect(failure).toMatchObject({ tag: 'open-failed', message: expect.stringContaining('is blocked') });
    expect(failure.message).toContain('terminal_close');
    expect(bench.peer.upgrades).toHaveLength(upgrades);
    const { machines } = bench.engine;
    const signal = new AbortController().signal;
    for (const change of ['stop', 'delete'] as const) {
      expect(await machines[change](bench.profile(), 'dev', signal)).toMatchObject({
        ok: false,
        error: { kind: 'blocked', message: expect.stringContaining('mark that session as resolved') },
      });
    }
    expect(bench.peer.requests.every(({ method }) => method === 'GET')).toBe(true);
    const place = { address: bench.peer.address, machine: 'dev' };
    expect(await machines.unresolved()).toEqual({
      ok: true,
      value: [{ ...place, since: expect.any(String), reason: expect.stringContaining('terminal_close') }],
    });
    expect(await machines.resolve(place)).toMatchObject({ ok: true });
    expect(await machines.resolve(place)).toMatchObject({ ok: false, error: { kind: 'refused' } });
    await bench.open();
  });

  it('whichever way its server is written', async () => {
    const { port } = await bench.useTcp();
    const [ours, ...others] = ['127.0.0.1', 'localhost', '127.0.0.2', '[::1]', 'LOCALHOST'].map(
      (host) => `http://${host}:${port}`,
    );
    const { terminal } = read(await bench.open({ address: ours as string }));
    for (const address of others)
      expect((await failureOf(bench.open({ address }))).message).toContain('has a session already');
    await terminal.release();
    for (const address of others)
      expect((await failureOf(bench.open({ address }))).message).toContain('is blocked');
    expect(bench.peer.upgrades).toHaveLength(1);
  });

  it('whichever path leads to its socket, also while its server is away', async () => {
    const socket = join(bench.folder, 's.sock');
    symlinkSync(bench.folder, join(bench.folder, 'folder'));
    symlinkSync(socket, join(bench.folder, 'link'));
    const paths = ['/s.sock', '//s.sock', '/./s.sock', '/folder/s.sock'];
    const others = [...paths, '/link'].map((path) => `unix://${bench.folder}${path}`);
    await (await bench.open()).release();
    for (const address of others)
      expect((await failureOf(bench.open({ address }))).message).toContain('is blocked');
    await bench.peer.close();
    for (const address of others.slice(0, -1))
      expect((await failureOf(bench.open({ address }))).message).toContain('is blocked');
    bench.peer = await SmolvmPeer.listen({ path: socket });
    expect(bench.peer.upgrades).toEqual([]);
  });

  it('after the host died: recovery marks it, and finds nothing once it was resolved', async () => {
    const terminal = await bench.open();
    const { identity } = terminal;
    // What the next host finds: a record of a process that is not there any more.
    const folder = join(bench.folder, 'smolvm-machines');
    const [name = ''] = readdirSync(folder);
    const record = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const host = { ...record.host, pid: 2 ** 22 + 1, startTime: '1' };
    writeFileSync(join(folder, name), JSON.stringify({ ...record, host }));
    const engine = bench.restart();
    expect((await failureOf(bench.open())).message).toContain('Airlock ended while it was open.');
    expect(await engine.recover(identity)).toMatchObject({
      kind: 'mismatch',
      reason: expect.stringContaining('mark its session as resolved'),
    });
    await engine.machines.resolve({ address: bench.peer.address, machine: 'dev' });
    expect(await engine.recover(identity)).toEqual({ kind: 'absent' });
    expect(await engine.recover({ kind: 'container', id: 'x', endpoint: 'y' })).toMatchObject({
      kind: 'mismatch',
    });
  });

  it('a record that cannot be read blocks, and can be resolved', async () => {
    const { terminal } = read(await bench.open());
    await terminal.release();
    const folder = join(bench.folder, 'smolvm-machines');
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"v":2');
    bench.restart();
    expect((await failureOf(bench.open())).message).toContain('cannot be read');
    const { machines } = bench.engine;
    expect(await machines.unresolved()).toEqual({ ok: true, value: [] });
    const listed = await machines.list(bench.profile(), new AbortController().signal);
    const [unresolved = null] = listed.ok ? listed.value.map((machine) => machine.unresolved) : [];
    if (unresolved === null) throw new Error('the machine is not told to have an unresolved session');
    expect(unresolved.reason).toBe('Its record cannot be read.');
    expect(await machines.resolve(unresolved)).toMatchObject({ ok: true });
    await bench.open();
  });

  it('nothing is opened where that cannot be recorded', async () => {
    writeFileSync(join(bench.folder, 'smolvm-machines'), 'a file in its place');
    await failureOf(bench.open());
    expect(bench.peer.upgrades).toEqual([]);
  });
});
