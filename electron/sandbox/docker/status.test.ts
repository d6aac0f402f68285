import { afterEach, expect, it, vi } from 'vitest';
import { PROBE_DEADLINE_MS } from '../../../shared/terminal/limits.ts';
import { AttachEngine } from '../attach/engine.ts';
import { ContainerEngine } from '../container/engine.ts';
import { profileOf } from '../testing/sandbox-shell.ts';
import { asDaemonError } from './daemon-error.ts';
import { failureInWords } from './status.ts';
import { HostileDaemon, httpAnswer, PONG } from './testing/hostile-daemon.ts';

afterEach(() => {
  vi.useRealTimers();
});

it.each([
  ['container', new ContainerEngine({ privateFolders: [] })],
  ['attach', new AttachEngine()],
] as const)(
  'a slow daemon is called slow before the check of a profile is given up: %s',
  async (kind, engine) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const asked = Promise.withResolvers<void>();
    const daemon = await HostileDaemon.start((line, socket) => {
      if (line.includes('/_ping')) socket.end(PONG);
      else asked.resolve();
    });
    const endpoint = { endpoint: daemon.address, certificates: null };
    const sections = {
      container: { ...endpoint, image: 'debian', runtime: 'default' as const },
      attach: { ...endpoint, container: 'mine' },
    };
    const probing = engine.probe(profileOf(['/bin/sh'], { engine: kind, ...sections }));
    await asked.promise;
    vi.advanceTimersByTime(PROBE_DEADLINE_MS - 1);
    expect(await probing).toMatchObject({
      usable: false,
      summary: `${daemon.address} is slow: it has not answered everything within 9 seconds.`,
      fixes: [],
    });
    daemon.close();
  },
);

const UNIX = { kind: 'unix', address: 'unix:///run/x.sock', path: '/run/x.sock' } as const;
const START = [
  { text: 'Docker:', command: 'sudo systemctl start docker' },
  { text: 'Podman:', command: expect.stringContaining('start podman.socket') },
];

it.each([
  ['ENOENT', 'Nothing answers', START],
  ['ECONNREFUSED', 'Nothing answers', START],
  ['EACCES', 'You may not use', []],
  ['ECONNRESET', 'could not be asked to', []],
])('to start a daemon is advised only where nobody listens: %s', (code, words, fixes) => {
  const error = asDaemonError(Object.assign(new Error('broken'), { code }), 'tell its version', UNIX.address);
  expect(failureInWords(error, UNIX)).toEqual({ summary: expect.stringContaining(words), fixes });
});

it.each([
  ['is too old', 'Api-Version: 1.39', 'speaks version 1.39'],
  ['says what is none', 'Api-Version: new', 'gave no valid answer'],
])('a daemon that %s is not to be started', async (_, header, words) => {
  const daemon = await HostileDaemon.start((_line, socket) =>
    socket.end(httpAnswer('OK', '200 OK', [header])),
  );
  const attach = { endpoint: daemon.address, certificates: null, container: 'mine' };
  const status = await new AttachEngine().probe(profileOf(['/bin/sh'], { engine: 'attach', attach }));
  expect(status).toMatchObject({ usable: false, summary: expect.stringContaining(words), fixes: [] });
  daemon.close();
});

it.each([
  ['is not there', httpAnswer({ message: 'none' }, '404 Not Found'), 'See which there are:', 'ps'],
  ['does not run', httpAnswer(containerFacts()), 'Start it:', 'start mine'],
])('a container that %s is named with a command for its own daemon', async (_, answer, text, words) => {
  const daemon = await HostileDaemon.start((line, socket) => {
    if (line.includes('/_ping')) socket.end(PONG);
    else socket.end(line.includes('/info') ? httpAnswer({}) : answer);
  });
  const attach = { endpoint: daemon.address, certificates: null, container: 'mine' };
  const status = await new AttachEngine().probe(profileOf(['/bin/sh'], { engine: 'attach', attach }));
  expect(status.fixes).toEqual([{ text, command: `docker -H ${daemon.address} ${words}` }]);
  daemon.close();
});

function containerFacts() {
  return { Id: 'a'.repeat(64), State: { Running: false }, Config: {}, HostConfig: {} };
}
