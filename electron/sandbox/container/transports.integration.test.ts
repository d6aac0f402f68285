import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listContainers, listImages, pullImage } from '../docker/images.ts';
import { LABELS } from '../docker/labels.ts';
import { daemonObstacle, TestDaemon } from '../docker/testing/test-daemon.ts';
import { TEST_IMAGE } from '../docker/testing/test-image.ts';
import { makeCertificates, TlsFront } from '../docker/testing/transports.ts';
import { profileOf, SandboxShell } from '../testing/sandbox-shell.ts';
import { ContainerEngine } from './engine.ts';

const SIZE = { cols: 133, rows: 41 };
const obstacle = daemonObstacle('Docker');
if (obstacle === null) describe('a daemon that may be another machine’s', () => transports());
else it.skip(`a daemon that may be another machine’s: not run: ${obstacle}`);

function transports(): void {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-transports-'));
  const engine = new ContainerEngine({ privateFolders: [join(folder, 'data')] });
  let daemon: TestDaemon;
  let front: TlsFront;
  beforeAll(async () => {
    daemon = await TestDaemon.start('Docker');
    const socket = join(daemon.folder, 'socket');
    for (const name of ['mine', 'others']) makeCertificates(join(folder, name));
    front = await TlsFront.start(socket, join(folder, 'mine'));
  }, 120_000);
  afterAll(async () => {
    front.close();
    await daemon.stop();
    rmSync(folder, { recursive: true });
  });

  const open = async (endpoint: string, certificates: string | null, project: string | null = null) => {
    const container = { endpoint, certificates, image: TEST_IMAGE, runtime: 'default' } as const;
    const profile = profileOf(['/bin/sh', '-c', 'stty size; read x; echo "got $x"; ls -d /out; exit 7'], {
      engine: 'container',
      container,
    });
    const spec = { sessionId: `remote-${process.pid}`, profile, project };
    const terminal = await engine.open(spec, SIZE, AbortSignal.timeout(30_000));
    return new SandboxShell(terminal);
  };

  it('by TLS has whole sessions, and no /out', async () => {
    const shell = await open(front.address, join(folder, 'mine'));
    try {
      await shell.shows('41 133');
      await shell.type('there\r');
      expect(await shell.terminal.ended).toEqual({ kind: 'exited', code: 7 });
      expect(shell.text).toContain('got there\r\nls: /out');
      expect(shell.terminal.outFolder).toBeNull();
    } finally {
      expect(await shell.terminal.release()).toMatchObject({ removed: true });
    }
    expect(await engine.recover(shell.terminal.identity)).toEqual({ kind: 'absent' });
  });

  it('gets no folder of this machine: that fails before anything is created', async () => {
    const opening = open('ssh://me@host.example', null, '/usr/share');
    await expect(opening).rejects.toMatchObject({
      tag: 'profile-invalid',
      message: expect.stringContaining('the project folder'),
    });
    expect(await (await daemon.client()).containers(LABELS.session)).toEqual([]);
  });

  it('by TLS is refused with certificates of another authority', async () => {
    const opening = open(front.address, join(folder, 'others'));
    await expect(opening).rejects.toMatchObject({
      tag: 'engine-unavailable',
      message: expect.stringMatching(/certificate|self.signed/i),
    });
  });

  it('lists its images and containers, and says why a pull failed', async () => {
    const settings = { endpoint: daemon.address, certificates: null };
    const { items } = await listImages(settings);
    expect(items).toMatchObject([{ name: TEST_IMAGE }]);
    expect(items[0]?.bytes).toBeGreaterThan(1_000_000);
    const id = await daemon.runContainer();
    const { items: running } = await listContainers(settings);
    expect(running).toMatchObject([{ id, status: expect.stringMatching(/^Up /) }]);
    await (await daemon.client()).remove(id);
    const seen: unknown[] = [];
    const pull = pullImage(
      settings,
      '127.0.0.1:9/none',
      (progress) => seen.push(progress),
      new AbortController().signal,
    );
    await expect(pull).rejects.toMatchObject({
      name: 'EngineError',
      message: expect.stringMatching(/refused|not pulled|did not pull/),
    });
    await expect(pullImage(settings, '../x', () => {}, new AbortController().signal)).rejects.toMatchObject({
      tag: 'profile-invalid',
    });
  });
}
