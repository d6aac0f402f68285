import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { RELEASE } from '../../../shared/terminal/limits.ts';
import { DockerClient } from '../docker/client.ts';
import { resolveEndpoint } from '../docker/endpoint.ts';
import { releaseProgram } from './release.ts';

const ID = 'a'.repeat(64);

/** What a helper in the container does, as which user, and what it then says. */
type Act = 'HUP' | 'TERM' | 'KILL' | 'look';
type Says = (act: Act, user: string | null) => string;

const found = (count: number) => `found ${count} processes\r\n`;

/** A daemon with a container that runs; its helpers only say what a test has them say. */
class HelperDaemon {
  readonly folder = mkdtempSync(join(tmpdir(), 'airlock-helpers-'));
  readonly acts: { readonly act: Act; readonly user: string | null; readonly atMs: number }[] = [];
  readonly #server: Server;

  constructor(says: Says) {
    this.#server = createServer(async (asked, answer) => {
      answer.setHeader('Api-Version', '1.47');
      answer.setHeader('Content-Type', 'application/json');
      answer.end(JSON.stringify(await this.#answer(asked)));
    });
    this.#server.on('upgrade', (_asked, socket) => {
      socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
      const { act, user } = this.acts.at(-1) ?? { act: 'look', user: null };
      socket.end(says(act, user));
    });
  }

  get signals(): Act[] {
    return this.acts.map(({ act }) => act).filter((act) => act !== 'look');
  }

  async release() {
    this.#server.listen(join(this.folder, 'socket'));
    await once(this.#server, 'listening');
    const endpoint = `unix://${join(this.folder, 'socket')}`;
    const client = await DockerClient.connect(
      resolveEndpoint({ endpoint, certificates: null }, 'attach', {}),
    );
    return releaseProgram(client, { kind: 'program', container: ID, exec: ID, mark: 'mark', endpoint });
  }

  close(): void {
    this.#server.close();
    rmSync(this.folder, { recursive: true });
  }

  async #answer(asked: IncomingMessage): Promise<object> {
    if (asked.method !== 'POST') return { Id: ID, State: { Running: true }, Config: {}, HostConfig: {} };
    const { Cmd, User = null } = JSON.parse(await text(asked)) as { Cmd: string[]; User?: string };
    const act = (/kill -(HUP|TERM|KILL)/.exec(Cmd[2] ?? '')?.[1] ?? 'look') as Act;
    this.acts.push({ act, user: User, atMs: performance.now() });
    return { Id: ID };
  }
}

const open: HelperDaemon[] = [];
const daemonThat = (says: Says) => {
  const daemon = new HelperDaemon(says);
  open.push(daemon);
  return daemon;
};
afterEach(() => {
  for (const daemon of open.splice(0)) daemon.close();
});

it('ST-24 a process that outlives its terminal has its graces before it is killed', async () => {
  let isKilled = false;
  const daemon = daemonThat((act) => {
    isKilled ||= act === 'KILL';
    return found(isKilled && act === 'look' ? 0 : 1);
  });
  const { removed, steps } = await daemon.release();
  expect(removed).toBe(true);
  expect(steps.map(({ step }) => step)).toEqual(['SIGHUP', 'SIGTERM', 'SIGKILL', 'no process is left']);
  const at = Object.fromEntries(
    daemon.acts.filter(({ act }) => act !== 'look').map((one) => [one.act, one.atMs]),
  );
  expect((at['TERM'] ?? 0) - (at['HUP'] ?? 0)).toBeGreaterThanOrEqual(RELEASE.hangupGraceMs);
  expect((at['KILL'] ?? 0) - (at['TERM'] ?? 0)).toBeGreaterThanOrEqual(RELEASE.terminateGraceMs);
});

it('ST-24 a grace ends as soon as no process is left', async () => {
  const daemon = daemonThat((act) => found(act === 'HUP' ? 2 : 0));
  const { removed, steps } = await daemon.release();
  expect(removed).toBe(true);
  expect(steps).toEqual([{ step: 'SIGHUP', detail: '2 processes' }, { step: 'no process is left' }]);
  expect(daemon.signals).toEqual(['HUP']);
});

it('ST-24 what a look did not get through is killed, and is gone when the next one says so', async () => {
  const daemon = daemonThat((act) => (act === 'HUP' ? '' : found(act === 'KILL' ? 900 : 0)));
  const { removed, steps } = await daemon.release();
  expect(removed).toBe(true);
  expect(daemon.signals).toEqual(['HUP', 'KILL']);
  expect(steps[0]).toEqual({ step: 'SIGHUP', detail: 'the look at its processes did not finish' });
});

it.each([
  ['', 'the look at its processes did not finish'],
  ['found no grep\r\n', 'it has no grep to look with'],
])(
  'ST-25 what a helper leaves open with %j is killed and not confirmed, and why is said',
  async (said, why) => {
    const daemon = daemonThat(() => said);
    const { removed, reason } = await daemon.release();
    expect(removed).toBe(false);
    expect(daemon.signals).toEqual(['HUP', 'KILL']);
    expect(reason).toBe(
      `Whether anything of the session is left in container ${'a'.repeat(12)} cannot be told: ${why}.`,
    );
  },
);

it('ST-24 what became another user is looked for as that user, and ended', async () => {
  let isEnded = false;
  const daemon = daemonThat((act, user) => {
    if (user === null) return isEnded ? found(0) : 'found 0 processes 99:99\r\n';
    isEnded ||= act === 'HUP';
    return found(1);
  });
  const { removed, steps } = await daemon.release();
  expect(removed).toBe(true);
  expect(steps).toEqual([{ step: 'SIGHUP', detail: '1 processes' }, { step: 'no process is left' }]);
  expect(daemon.acts.slice(0, 2)).toMatchObject([
    { act: 'HUP', user: null },
    { act: 'HUP', user: '99:99' },
  ]);
});

it.each([
  ['99:99', 'processes of 99:99 that began since cannot be looked at'],
  ['1:1 2:2 3:3 4:4 5:5', 'too many users have begun processes since'],
])('ST-25 what not even its own user may look at is not confirmed: %s', async (users, why) => {
  const daemon = daemonThat(() => `found 0 processes ${users}\r\n`);
  expect(await daemon.release()).toMatchObject({
    removed: false,
    reason: `Whether anything of the session is left in container ${'a'.repeat(12)} cannot be told: ${why}.`,
  });
});
