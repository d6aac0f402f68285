import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PullProgress } from '../../../shared/protocol/engine-requests.ts';
import { listImages, pullImage } from '../docker/images.ts';
import { LARGE_LAYER_BYTES, pushLayers, registryObstacle, TestRegistry } from '../docker/testing/registry.ts';
import { type DaemonKind, daemonObstacle, TestDaemon } from '../docker/testing/test-daemon.ts';
import { profileOf, SandboxShell } from '../testing/sandbox-shell.ts';
import { ContainerEngine } from './engine.ts';

const KINDS: readonly DaemonKind[] = ['Docker', 'Podman'];
const SET_UP_MS = 120_000;
const obstacle = [...KINDS.map(daemonObstacle), registryObstacle()].find((found) => found !== null) ?? null;
if (obstacle === null) describe('an image from a registry', () => pulls());
else it.skip(`an image from a registry: not run: ${obstacle}`);

function pulls(): void {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-pull-'));
  const daemons = new Map<DaemonKind, TestDaemon>();
  let registry: TestRegistry;
  let name: string;
  let digest: string;
  beforeAll(async () => {
    for (const kind of KINDS) daemons.set(kind, await TestDaemon.start(kind));
    registry = await TestRegistry.start(join(folder, 'registry'));
    name = `${registry.host}/airlock/layers:1`;
    digest = await pushLayers(socketOf('Docker'), folder, name);
  }, SET_UP_MS);
  afterEach(async () => {
    registry.deliver('whole');
    for (const kind of KINDS) for (const image of await pulled(kind)) await remove(kind, image);
  });
  afterAll(async () => {
    await registry.close();
    for (const daemon of daemons.values()) await daemon.stop();
    rmSync(folder, { recursive: true });
  });

  const socketOf = (kind: DaemonKind) => join(daemons.get(kind)?.folder ?? '', 'socket');
  const settingsOf = (kind: DaemonKind) => ({ endpoint: `unix://${socketOf(kind)}`, certificates: null });
  /** What the daemon lists that came from the registry. */
  const pulled = async (kind: DaemonKind): Promise<string[]> => {
    const { items } = await listImages(settingsOf(kind));
    return items.map((image) => image.name).filter((found) => found.startsWith(registry.host));
  };
  const remove = (kind: DaemonKind, image: string) =>
    new Docker({ socketPath: socketOf(kind) }).getImage(image).remove({ force: true });
  const pull = (kind: DaemonKind, image = name, silenceMs?: { first: number; next: number }) => {
    const seen: PullProgress[] = [];
    const cancel = new AbortController();
    const done = pullImage(settingsOf(kind), image, (told) => seen.push(told), cancel.signal, silenceMs);
    return { seen, cancel, done };
  };

  describe.each(KINDS)('to %s', (kind) => {
    it('comes with progress that never goes back, is listed, and a session opens in it', async () => {
      const { seen, done } = pull(kind);
      await done;
      const bytes = seen.map(({ doneBytes }) => doneBytes);
      expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
      const last = seen.at(-1);
      expect(last?.doneBytes).toBe(last?.totalBytes ?? 0);
      // Podman tells bytes of a layer only that takes long.
      if (kind === 'Docker') expect(last?.doneBytes).toBeGreaterThan(LARGE_LAYER_BYTES);
      expect(seen.map(({ text }) => text).join('\n')).toMatch(/[0-9a-f]{12}: Download complete/);
      expect(await pulled(kind)).toEqual([name]);

      const engine = new ContainerEngine({ privateFolders: [join(folder, kind)] });
      const container = { ...settingsOf(kind), image: name, runtime: 'default' as const };
      const profile = profileOf(['/bin/sh', '-c', 'wc -c < /large; cat /small; exit 3'], {
        engine: 'container',
        container,
      });
      expect(await engine.probe(profile)).toMatchObject({ usable: true });
      const spec = { sessionId: `pulled-${process.pid}`, profile, project: null };
      const terminal = await engine.open(spec, { cols: 80, rows: 24 }, AbortSignal.timeout(30_000));
      const shell = new SandboxShell(terminal);
      expect(await terminal.ended).toEqual({ kind: 'exited', code: 3 });
      expect(shell.text).toBe(`${LARGE_LAYER_BYTES}\r\nsmall\r\n`);
      await terminal.release();
    });

    it('comes by its digest, and is listed by it', async () => {
      const image = `${registry.host}/airlock/layers@${digest}`;
      await pull(kind, image).done;
      expect(await pulled(kind)).toEqual([image]);
    });

    it('that is cancelled half-way is not there, and the daemon fetches no more of it', async () => {
      registry.deliver('held');
      const { cancel, done } = pull(kind);
      await expect.poll(() => registry.begun, { timeout: SET_UP_MS }).toBe(1);
      cancel.abort(new Error('cancelled'));
      await expect(done).rejects.toThrow('cancelled');
      // Docker notices it at the next byte.
      registry.letGo();
      await expect.poll(() => registry.left, { timeout: SET_UP_MS }).toBe(1);
      expect(await pulled(kind)).toEqual([]);
    });

    it.each([
      ['tag', 'layers:none'],
      ['image', 'none:1'],
    ])('that the registry does not have fails with the registry’s words: %s', async (_, path) => {
      const { done } = pull(kind, `${registry.host}/airlock/${path}`);
      const error = await done.catch((failure: unknown) => failure);
      expect(error).toMatchObject({ name: 'EngineError', tag: 'open-failed' });
      expect(String(error)).toMatch(/manifest unknown/);
      expect(String(error)).not.toMatch(/HTTP code|systemctl/);
    });

    it('whose connection breaks in the middle of a layer fails, and says so', async () => {
      registry.deliver('cut');
      await expect(pull(kind).done).rejects.toMatchObject({
        tag: 'open-failed',
        message: expect.stringMatching(/^The image was not pulled: .*unexpected EOF/),
      });
      expect(await pulled(kind)).toEqual([]);
    });

    it('from a registry that answers nothing is given up', async () => {
      registry.deliver('silent');
      const program = kind === 'Docker' ? 'docker -H' : 'podman --url';
      await expect(pull(kind, name, { first: 200, next: SET_UP_MS }).done).rejects.toMatchObject({
        tag: 'open-failed',
        message: `The image was not pulled: ${kind} has said nothing for 0.2 seconds, as when its registry does not answer. To see more: ${program} unix://${socketOf(kind)} pull ${name}`,
      });
    });

    it('from a registry that stops in the middle of a layer is given up', async () => {
      registry.deliver('held');
      const { seen, done } = pull(kind, name, { first: SET_UP_MS, next: 2_000 });
      await expect(done).rejects.toThrow(`${kind} has said nothing for 2 seconds`);
      expect(seen.length).toBeGreaterThan(0);
    });
  });
}
