import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EngineStatus } from '../../../shared/terminal/engine-status.ts';
import { LABELS } from '../docker/labels.ts';
import { makeKeys, PersonalSsh, type RemoteMachine, sshdObstacle, TestSshd } from '../docker/testing/sshd.ts';
import { type DaemonKind, daemonObstacle, TestDaemon } from '../docker/testing/test-daemon.ts';
import { TEST_IMAGE } from '../docker/testing/test-image.ts';
import type { SandboxTerminal } from '../engine.ts';
import { processesWith, profileOf, SandboxShell } from '../testing/sandbox-shell.ts';
import { ContainerEngine } from './engine.ts';

const SIZE = { cols: 133, rows: 41 };
const SET_UP_MS = 120_000;
const KINDS: readonly DaemonKind[] = ['Docker', 'Podman'];
const obstacle = [...KINDS.map(daemonObstacle), sshdObstacle()].find((found) => found !== null) ?? null;
if (obstacle === null) describe('another machine by ssh', () => machines());
else it.skip(`another machine by ssh: not run: ${obstacle}`);

function machines(): void {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-ssh-'));
  const engine = new ContainerEngine({ privateFolders: [join(folder, 'data')] });
  const path = process.env['PATH'];
  const daemons = new Map<DaemonKind, TestDaemon>();
  const servers = new Map<string, TestSshd>();
  const opened: SandboxTerminal[] = [];
  const keys = join(folder, 'keys');
  let ssh: PersonalSsh;
  let count = 0;

  const serve = async (name: string, machine: RemoteMachine): Promise<TestSshd> => {
    const server = await TestSshd.start(keys, join(folder, `server-${name}`), machine);
    servers.set(name, server);
    ssh.add(name, { port: server.port });
    return server;
  };
  const withDocker = (): RemoteMachine => ({
    environment: { DOCKER_HOST: daemons.get('Docker')?.address ?? '' },
    programs: ['/usr/bin/docker'],
  });
  beforeAll(async () => {
    for (const kind of KINDS) daemons.set(kind, await TestDaemon.start(kind));
    makeKeys(keys);
    ssh = new PersonalSsh(keys, join(folder, 'bin'));
    process.env['PATH'] = `${ssh.folder}${delimiter}${path}`;
    const { port } = await serve('docker', withDocker());
    await serve('podman', {
      environment: { CONTAINER_HOST: daemons.get('Podman')?.address ?? '' },
      programs: ['/usr/bin/podman'],
    });
    await serve('bare', { environment: {}, programs: [] });
    await serve('asleep', {
      environment: { DOCKER_HOST: 'unix:///nowhere/docker.sock' },
      programs: ['/usr/bin/docker'],
    });
    ssh.add('unknown', { port, known: null });
    ssh.add('changed', { port, known: 'other-host' });
    ssh.add('refused', { port, key: 'others' });
    ssh.add('nobody', { port: 9 });
    const shared = ['ControlMaster auto', `ControlPath ${folder}/control-%C`];
    ssh.add('shared', { port, options: shared });
  }, SET_UP_MS);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((terminal) => terminal.release()));
  });
  afterAll(async () => {
    process.env['PATH'] = path;
    for (const server of servers.values()) server.close();
    for (const daemon of daemons.values()) await daemon.stop();
    rmSync(folder, { recursive: true });
  });

  const profileAt = (host: string, script: string) => {
    const container = {
      endpoint: `ssh://${host}`,
      certificates: null,
      image: TEST_IMAGE,
      runtime: 'default',
    };
    return profileOf(['/bin/sh', '-c', script], {
      engine: 'container',
      container: { ...container, runtime: 'default' as const },
    });
  };
  const open = async (host: string, script: string): Promise<SandboxShell> => {
    count += 1;
    const spec = {
      sessionId: `ssh-${process.pid}-${count}`,
      profile: profileAt(host, script),
      project: null,
    };
    const terminal = await engine.open(spec, SIZE, AbortSignal.timeout(30_000));
    opened.push(terminal);
    return new SandboxShell(terminal);
  };
  const probe = (host: string): Promise<EngineStatus> => engine.probe(profileAt(host, ':'));
  /** Processes of the person's ssh. */
  const clients = () => processesWith(`-F\0${ssh.folder}/config`);

  it.each(['docker', 'podman'])(
    'has whole sessions, sizes, bytes of every value, and no /out (%s)',
    async (host) => {
      const script =
        'stty size; read x; stty size; stty raw -echo; echo ready; head -c 256 | od -An -v -tu1 | tr -s "\\n" " "; ls -d /out; exit 7';
      const shell = await open(host, script);
      await shell.shows('41 133');
      await shell.terminal.resize({ cols: 90, rows: 30 });
      await shell.type('\r');
      await shell.shows('30 90');
      await shell.shows('ready');
      const every = Uint8Array.from({ length: 256 }, (_, value) => 255 - value);
      await shell.terminal.write(every);
      expect(await shell.terminal.ended).toEqual({ kind: 'exited', code: 7 });
      expect(shell.text.replace(/\s+/g, ' ')).toContain(` ${[...every].join(' ')} `);
      expect(shell.terminal.outFolder).toBeNull();
      expect(await shell.terminal.release()).toMatchObject({ removed: true });
      expect(await engine.recover(shell.terminal.identity)).toEqual({ kind: 'absent' });
      await expect.poll(() => clients(), { timeout: SET_UP_MS }).toEqual([]);
    },
  );

  it('has sessions that do not end with others where connections are shared', async () => {
    const first = await open('shared', 'echo one; read x');
    await first.shows('one');
    expect(readdirSync(folder).some((name) => name.startsWith('control-'))).toBe(true);
    const second = await open('shared', 'echo two; read x; echo "got $x"; exit 4');
    await second.shows('two');
    await first.terminal.release();
    await second.type('it\r');
    expect(await second.terminal.ended).toEqual({ kind: 'exited', code: 4 });
    expect(second.text).toContain('got it');
  });

  it.each([
    ['unknown', /Host key verification failed/, 'ssh unknown docker version', /host is known/],
    ['changed', /has changed/, 'ssh changed docker version', /another key than before/],
    ['refused', /Permission denied \(publickey\)/, 'ssh-copy-id refused', /key/],
    ['nobody', /Connection refused/, 'ssh nobody docker version', /by hand/],
    ['bare', /neither docker nor podman/, null, /Install Docker or Podman there/],
    ['asleep', /dial unix \/nowhere\/docker.sock/, 'ssh asleep docker version', /by hand/],
  ])('is named with what ssh said and what to do: %s', async (host, said, command, advice) => {
    const { usable, summary, fixes } = await probe(host);
    expect({ usable, summary }).toEqual({ usable: false, summary: expect.stringMatching(said) });
    expect(fixes).toEqual([{ text: expect.stringMatching(advice), command }]);
  });

  it('fails to open with what ssh said and what to do, before anything is created', async () => {
    await expect(open('unknown', ':')).rejects.toMatchObject({
      tag: 'engine-unavailable',
      message: expect.stringMatching(
        /Host key verification failed.*\nLog in once by hand.*ssh unknown docker version/,
      ),
    });
  });

  it('ST-22 does not say how a program ended whose connection broke, and removes it', async () => {
    const shell = await open('docker', 'echo up; read x');
    await shell.shows('up');
    // Of those that wait for the end, and for bytes.
    const pids = clients();
    expect(pids.length).toBeGreaterThan(1);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    expect(await shell.terminal.ended).toEqual({
      kind: 'unknown',
      reason: expect.stringContaining('the connection to it was lost while it ran'),
    });
    expect(await shell.terminal.release()).toMatchObject({ removed: true });
  });

  it('B27 is found to be silent when ssh has asked it in vain, also where something was typed', async () => {
    const server = await serve('silent', withDocker());
    // What it is told otherwise has a test of its own: endpoint.test.ts.
    ssh.insist('ServerAliveInterval=1');
    const shell = await open('silent', 'echo up; read x');
    await shell.shows('up');
    server.freeze();
    await shell.type('unheard\r');
    expect(await shell.terminal.ended).toEqual({
      kind: 'unknown',
      reason: expect.stringContaining('the connection to it was lost while it ran'),
    });
    expect(await shell.terminal.release()).toMatchObject({ removed: true });
    ssh.insist();
    server.close();
  });

  it('ST-22 ST-25 does not say how a program ended when its machine is gone, nor that it was removed', async () => {
    const server = await serve('gone', withDocker());
    const shell = await open('gone', 'echo up; read x');
    await shell.shows('up');
    server.close();
    expect(await shell.terminal.ended).toEqual({
      kind: 'unknown',
      reason: expect.stringMatching(/the daemon cannot be asked any more \(.*ssh ended with 255: .*refused/),
    });
    expect(await shell.terminal.release()).toMatchObject({ removed: false });
    const client = await daemons.get('Docker')?.client();
    const left = await client?.containers(LABELS.session);
    expect(left).toHaveLength(1);
    for (const { Id } of left ?? []) await client?.remove(Id);
  });
}
