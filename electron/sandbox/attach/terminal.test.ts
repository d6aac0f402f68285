import { Duplex } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { DockerClient } from '../docker/client.ts';
import { resolveEndpoint } from '../docker/endpoint.ts';
import { TerminalStream } from '../docker/terminal-stream.ts';
import { HostileDaemon, httpAnswer, PONG } from '../docker/testing/hostile-daemon.ts';
import { AttachedTerminal } from './terminal.ts';

const open: HostileDaemon[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const daemon of open.splice(0)) daemon.close();
});

const ID = 'a'.repeat(64);
const FAILED = httpAnswer({ message: 'busy' }, '500 Internal Server Error');
const ABSENT = httpAnswer({ message: 'no such exec' }, '404 Not Found');
const RUNS = httpAnswer({ Running: true });
const ENDED = httpAnswer({ Running: false, ExitCode: 7 });

/** A paused terminal whose daemon gives these answers about its program, and whether it was read to its end at each of them. */
async function pausedTerminal(answers: readonly string[]) {
  const left = [...answers];
  const wasRead: boolean[] = [];
  const stream = new Duplex({ read() {}, write: (_bytes, _encoding, done) => done() });
  // As a daemon's: the end is behind what nobody reads.
  stream.push('output');
  stream.push(null);
  const daemon = await HostileDaemon.start((line, socket) => {
    if (line.includes('/_ping')) return socket.end(PONG);
    wasRead.push(stream.readableEnded);
    return socket.end(left.shift() ?? ENDED);
  });
  open.push(daemon);
  const { address } = daemon;
  const client = await DockerClient.connect(
    resolveEndpoint({ endpoint: address, certificates: null }, 'attach', {}),
  );
  const terminal = new AttachedTerminal({
    client,
    identity: { kind: 'program', container: ID, exec: ID, mark: 'mark', endpoint: address },
    stream: new TerminalStream(stream),
    posture: {} as never,
  });
  terminal.onOutput(() => {});
  terminal.pause();
  return { terminal, wasRead };
}

it('ST-18 a paused program is not taken for one that has ended because its daemon does not answer once', async () => {
  const { terminal, wasRead } = await pausedTerminal([FAILED, RUNS, ENDED]);
  expect(await terminal.ended).toEqual({ kind: 'exited', code: 7 });
  expect(wasRead).toEqual([false, false, false, true]);
});

it('ST-22 a daemon that cannot be asked once for an exit status is asked again', async () => {
  const { terminal } = await pausedTerminal([ENDED, FAILED, FAILED]);
  expect(await terminal.ended).toEqual({ kind: 'exited', code: 7 });
});

it('ST-22 a paused program that its daemon does not know any more has ended as nobody knows', async () => {
  const { terminal, wasRead } = await pausedTerminal([ABSENT, ABSENT]);
  expect(await terminal.ended).toMatchObject({ kind: 'unknown' });
  expect(wasRead).toEqual([false, true]);
});

it('nobody looks for its end but while it is paused: each look of an open session would be kept', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { terminal } = await pausedTerminal([]);
  terminal.pause();
  expect(vi.getTimerCount()).toBe(1);
  terminal.resume();
  expect(vi.getTimerCount()).toBe(0);
  await terminal.ended;
  terminal.pause();
  expect(vi.getTimerCount()).toBe(0);
});
