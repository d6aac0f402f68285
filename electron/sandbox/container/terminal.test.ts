import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import type { SandboxPosture } from '../../../shared/terminal/posture.ts';
import { DockerClient } from '../docker/client.ts';
import { resolveEndpoint } from '../docker/endpoint.ts';
import { TerminalStream } from '../docker/terminal-stream.ts';
import { HostileDaemon, httpAnswer, PONG } from '../docker/testing/hostile-daemon.ts';
import { ContainerTerminal } from './terminal.ts';

const ID = 'a'.repeat(64);
const EXITED = {
  Id: ID,
  State: { Running: false, Status: 'exited', ExitCode: 7 },
  Config: {},
  HostConfig: {},
};

const open: HostileDaemon[] = [];
afterEach(() => {
  for (const daemon of open.splice(0)) daemon.close();
});

const BUSY = httpAnswer({ message: 'busy' }, '503 Service Unavailable');

/**
 * A terminal whose daemon answers the question whether it has ended with each of these in turn, and then that for its exit status,
 * as long as there are such.
 */
async function terminalOf(answers: ((socket: Socket) => void)[], looks: string[] = []) {
  const daemon = await HostileDaemon.start((line, socket) => {
    if (line.includes('/_ping')) socket.end(PONG);
    else if (line.includes('/wait')) answers.shift()?.(socket);
    else socket.end(looks.shift() ?? httpAnswer(EXITED));
  });
  open.push(daemon);
  const endpoint = resolveEndpoint({ endpoint: daemon.address, certificates: null }, 'container', {});
  const raw = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  return new ContainerTerminal({
    client: await DockerClient.connect(endpoint),
    identity: { kind: 'container', id: ID, endpoint: daemon.address, session: 's' },
    stream: new TerminalStream(raw),
    posture: {} as SandboxPosture,
    out: null,
    removeFiles: async () => null,
  });
}

it('ST-22 a daemon that breaks its answer off has not said that the program ended', async () => {
  const asked = Promise.withResolvers<Socket>();
  const { ended } = await terminalOf([
    (socket) => socket.destroy(),
    (socket) => socket.end(BUSY),
    (socket) => asked.resolve(socket),
  ]);
  const first = await Promise.race([ended, asked.promise]);
  expect(first).toBe(await asked.promise);
  (await asked.promise).end(httpAnswer({ StatusCode: 7 }));
  expect(await ended).toEqual({ kind: 'exited', code: 7 });
});

it('ST-22 a container that is gone has ended, though nobody reads its stream to the end', async () => {
  const gone = httpAnswer({ message: 'no such container' }, '404 Not Found');
  const { ended } = await terminalOf([(socket) => socket.end(gone)]);
  expect(await ended).toEqual({ kind: 'exited', code: 7 });
});

it('ST-22 a daemon that cannot be asked once for an exit status is asked again', async () => {
  const ended = (socket: Socket) => socket.end(httpAnswer({ StatusCode: 7 }));
  const terminal = await terminalOf([ended], [BUSY, BUSY]);
  expect(await terminal.ended).toEqual({ kind: 'exited', code: 7 });
});

it('ST-22 a daemon that cannot be asked at all knows no exit status', async () => {
  const ended = (socket: Socket) => socket.end(httpAnswer({ StatusCode: 7 }));
  const terminal = await terminalOf([ended], Array(100).fill(BUSY));
  expect(await terminal.ended).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('busy') });
});
