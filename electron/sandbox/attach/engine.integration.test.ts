import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labelsOf } from '../docker/labels.ts';
import { Relay } from '../docker/testing/relay.ts';
import { type DaemonKind, daemonObstacle, TestDaemon } from '../docker/testing/test-daemon.ts';
import type { EngineError } from '../engine.ts';
import { processesWith, profileOf, SandboxShell } from '../testing/sandbox-shell.ts';
import { AttachEngine } from './engine.ts';

const SIZE = { cols: 80, rows: 24 };
const SET_UP_MS = 120_000;

for (const kind of ['Docker', 'Podman'] as const) {
  const obstacle = daemonObstacle(kind);
  if (obstacle === null) describe(`a running container of ${kind}`, () => attaches(kind));
  else it.skip(`a running container of ${kind}: not run: ${obstacle}`);
}

function attaches(kind: DaemonKind): void {
  const engine = new AttachEngine();
  let daemon: TestDaemon;
  let relay: Relay;
  let container: string;
  beforeAll(async () => {
    daemon = await TestDaemon.start(kind);
    relay = await Relay.start(join(daemon.folder, 'socket'), join(daemon.folder, 'relay'));
    container = await daemon.runContainer();
  }, SET_UP_MS);
  afterAll(async () => {
    relay.close();
    await daemon.stop();
  });

  it('ST-6 that is cancelled leaves nothing, though the daemon starts the program later', async () => {
    const attach = { endpoint: `unix://${relay.path}`, certificates: null, container };
    for (let time = 0; time < 5; time++) {
      const marker = `cancelled-${randomUUID()}`;
      const profile = profileOf(['/bin/sh', '-c', `: ${marker}; sleep 1000`], { engine: 'attach', attach });
      const cancel = new AbortController();
      const held = relay.hold('/start');
      const spec = { sessionId: 'cancelled', profile, project: null };
      const opening = engine.open(spec, SIZE, cancel.signal).catch((error: EngineError) => error);
      await held.arrived;
      cancel.abort();
      const [error] = await Promise.all([opening, held.letGo()]);
      expect(error).toMatchObject({
        tag: 'open-failed',
        message: 'Opening was cancelled; what had been started was ended.',
      });
      expect(processesWith(marker)).toEqual([]);
    }
  });

  it.each([
    ['grep to look with', 'grep'],
    ['shell to wait with', 'sh'],
  ])('ST-6 that has no %s is left nothing by an opening that fails', async (_, missing) => {
    const bare = await daemon.runContainer();
    const attach = { endpoint: `unix://${relay.path}`, certificates: null, container: bare };
    const opening = (program: readonly string[]) => {
      const spec = {
        sessionId: 's',
        profile: profileOf(program, { engine: 'attach', attach }),
        project: null,
      };
      return engine.open(spec, SIZE, AbortSignal.timeout(SET_UP_MS));
    };
    const shell = await opening(['rm', `/bin/${missing}`]);
    await shell.ended;
    await shell.release();
    const program = `refused-${randomUUID()}`;
    const error = await opening([program]).catch((failure: EngineError) => failure);
    expect(error).toMatchObject({ tag: 'open-failed', left: null });
    expect(processesWith(program)).toEqual([]);
  });

  const open = async (sessionId: string, program: string) => {
    const attach = { endpoint: `unix://${relay.path}`, certificates: null, container };
    const profile = profileOf(['/bin/sh', '-c', program], { engine: 'attach', attach });
    return new SandboxShell(
      await engine.open({ sessionId, profile, project: null }, SIZE, AbortSignal.timeout(SET_UP_MS)),
    );
  };

  it('ST-24 ends what became another user as well', async () => {
    const marker = `other-user-${randomUUID()}`;
    const shell = await open(
      'other user',
      `echo nobody:x:99:99::/:/bin/sh >>/etc/passwd
      su nobody -c "exec setsid sh -c ': ${marker}; echo begun; while :; do sleep 1000; done'" & wait`,
    );
    await shell.shows('begun');
    expect(await shell.terminal.release()).toMatchObject({ removed: true });
    expect(processesWith(marker)).toEqual([]);
  });

  it('ST-25 does not say that all is gone where it may not look, and not of what others began', async () => {
    // It changes its user without a new program: so nobody may look at it.
    const others = await open('others', 'httpd -p 8081 -u 99:99; echo listening; read _; nc 127.0.0.1 8081');
    await others.shows('listening');
    const own = await open('own', 'read _');
    const servers = () => processesWith('httpd\0-p\x008081').length;
    expect(servers()).toBe(1);
    await others.type('\n');
    // For the connection it has another process, with itself as leader.
    await expect.poll(servers, { timeout: SET_UP_MS }).toBe(2);
    expect(await own.terminal.release()).toMatchObject({ removed: true });
    expect(await others.terminal.release()).toMatchObject({
      removed: false,
      reason: expect.stringContaining('processes of 99:99 that began since cannot be looked at'),
    });
  });

  it('its limits for open files and CPU hold for the program, as its posture says', async () => {
    const bounded = await daemon.runContainer({}, { CpuQuota: 50_000, CpuPeriod: 100_000 });
    const attach = { endpoint: `unix://${relay.path}`, certificates: null, container: bounded };
    const quota = '/sys/fs/cgroup/cpu/cpu.cfs_quota_us';
    const script = `ulimit -Hn; cut -d " " -f 1 /sys/fs/cgroup/cpu.max 2>/dev/null || cat ${quota}`;
    const profile = profileOf(['/bin/sh', '-c', script], { engine: 'attach', attach });
    const spec = { sessionId: 'bounds', profile, project: null };
    const shell = new SandboxShell(await engine.open(spec, SIZE, AbortSignal.timeout(SET_UP_MS)));
    await shell.terminal.ended;
    expect(shell.text).toBe('256\r\n50000\r\n');
    expect(shell.terminal.posture.limits).toMatchObject({ openFiles: 256, cpuPercent: 50 });
    await shell.terminal.release();
  });

  it('the check of a profile refuses a folder that an opening refuses', async () => {
    const attach = { endpoint: `unix://${relay.path}`, certificates: null, container };
    const profile = profileOf(['/bin/sh'], { engine: 'attach', attach });
    expect(await engine.probe(profile)).toMatchObject({ usable: true });
    const withFolder = { ...profile, scratch: '/srv' };
    const spec = { sessionId: 'folder', profile: withFolder, project: null };
    const refusal = expect.stringContaining('cannot be given folders');
    expect(await engine.probe(withFolder)).toMatchObject({ usable: false, summary: refusal });
    const opening = engine.open(spec, SIZE, AbortSignal.timeout(SET_UP_MS));
    await expect(opening).rejects.toMatchObject({ tag: 'profile-invalid', message: refusal });
  });

  it('a container of a session is refused by whatever name: it goes with its session', async () => {
    const ofSession = await daemon.runContainer(labelsOf('some-session'));
    const attach = {
      endpoint: `unix://${relay.path}`,
      certificates: null,
      container: ofSession.slice(0, 12),
    };
    const profile = profileOf(['/bin/sh'], { engine: 'attach', attach });
    const refusal = /^Container "[0-9a-f]{12}" is one of Airlock’s own.*Choose another\.$/;
    expect(await engine.probe(profile)).toMatchObject({
      usable: false,
      summary: expect.stringMatching(refusal),
    });
    const spec = { sessionId: 'another', profile, project: null };
    const opening = engine.open(spec, SIZE, AbortSignal.timeout(SET_UP_MS));
    await expect(opening).rejects.toMatchObject({
      tag: 'profile-invalid',
      message: expect.stringMatching(refusal),
    });
  });
}
