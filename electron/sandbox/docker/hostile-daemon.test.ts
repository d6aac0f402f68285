import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AttachEngine } from '../attach/engine.ts';
import { ContainerEngine } from '../container/engine.ts';
import { createOutFolder } from '../container/out-folder.ts';
import { EngineError } from '../engine.ts';
import { thisProcess } from '../host-process.ts';
import { profileOf } from '../testing/sandbox-shell.ts';
import { settledWithin } from '../wait.ts';
import { openStream } from './attach-stream.ts';
import { DockerClient } from './client.ts';
import { resolveEndpoint } from './endpoint.ts';
import { listImages, pullImage } from './images.ts';
import { KnownDaemons } from './known-daemons.ts';
import { LABELS, removeLeftOver, removeSession } from './labels.ts';
import { HostileDaemon, httpAnswer, PONG } from './testing/hostile-daemon.ts';

describe('a daemon that means ill', () => {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const each of open.splice(0)) each.close();
  });
  const daemonThat = async (answer: (line: string) => string) => {
    const daemon = await HostileDaemon.start((line, socket) => socket.end(answer(line)));
    open.push(daemon);
    return daemon;
  };
  const clientOf = ({ address }: HostileDaemon) =>
    DockerClient.connect(resolveEndpoint({ endpoint: address, certificates: null }, 'container', {}));

  const pullFrom = ({ address }: HostileDaemon) =>
    pullImage({ endpoint: address, certificates: null }, 'alpine', () => {}, new AbortController().signal);

  it.each(['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent', '304 Not Modified'])(
    'leads nobody elsewhere with %s',
    async (status) => {
      let visits = 0;
      const elsewhere: Server = createServer((_request, answer) => {
        visits += 1;
        answer.end('{}');
      });
      elsewhere.listen(0, '127.0.0.1');
      await once(elsewhere, 'listening');
      open.push(elsewhere);
      const { port } = elsewhere.address() as AddressInfo;
      // The last two have nobody who hears of their failure.
      const places = [`http://127.0.0.1:${port}/`, 'http://127.0.0.1:1/', 'ftp://127.0.0.1/'];
      for (const place of places) {
        const daemon = await daemonThat((line) =>
          line.includes('/info') ? httpAnswer('', status, [`Location: ${place}`]) : PONG,
        );
        const client = await clientOf(daemon);
        await client.info().catch(() => {});
        // What had been sent there would be there by now: it is asked after it.
        await fetch(`http://127.0.0.1:${port}/`);
        expect(daemon.asked).toHaveLength(2);
      }
      expect(visits).toBe(places.length);
    },
  );

  it('has no words that change what a person reads', async () => {
    const evil = 'x\u202e\u001b[2J\u0007\u2028\u3164\u2800\ue000 y';
    const facts = { Runtimes: { runsc: {} }, DefaultRuntime: evil, CgroupVersion: evil, KernelVersion: evil };
    const podman = httpAnswer('OK', '200 OK', ['Api-Version: 1.41', 'Libpod-Api-Version: 4.3\u009b2J']);
    const container = { endpoint: '', certificates: null, image: '', runtime: 'default' } as const;
    const told: string[] = [];
    for (const [ping, runtime] of [
      [PONG, 'default'],
      [podman, 'runsc'],
    ] as const) {
      const daemon = await daemonThat((line) => {
        if (line.includes('/_ping')) return ping;
        return httpAnswer(line.includes('/info') ? facts : { Id: 'sha256:1' });
      });
      const settings = { ...container, endpoint: daemon.address, image: 'debian', runtime };
      const profile = profileOf(['/bin/sh'], { engine: 'container', container: settings });
      const status = await new ContainerEngine({ privateFolders: [] }).probe(profile);
      told.push(JSON.stringify(status));
      expect(status.usable).toBe(runtime === 'default');
    }
    expect(told.join()).toMatch(/x \[2J +y/);
    expect(told.join()).not.toMatch(HIDDEN);
    expect(told.join()).not.toContain(String.raw`\u`);
  });

  it('is not quoted at length where its answer is none', async () => {
    const key = `\u202e${'k'.repeat(100_000)}`;
    const daemon = await daemonThat((line) =>
      line.includes('/_ping') ? PONG : httpAnswer([{ Id: 'a'.repeat(64), Image: 'i', Labels: { [key]: 1 } }]),
    );
    const asked = (await clientOf(daemon)).containers(null);
    const message = await asked.then(String, (error: Error) => error.message);
    expect(message).toContain('gave no valid answer');
    expect(message.length).toBeLessThan(1_000);
    expect(message).not.toMatch(HIDDEN);
  });

  it.each([
    ['Size', { Size: 1e300, Created: 0 }],
    ['Created', { Size: 0, Created: 1e15 }],
  ])('lists no image with a number that is none: %s', async (field, numbers) => {
    const image = { Id: 'sha256:1', RepoTags: ['debian:12'], ...numbers };
    const { address } = await daemonThat((line) => (line.includes('/_ping') ? PONG : httpAnswer([image])));
    const listing = listImages({ endpoint: address, certificates: null });
    await expect(listing).rejects.toThrow(`gave no valid answer when asked to list its images (0.${field}: `);
  });

  it('ends a pull in words when it breaks off', async () => {
    const daemon = await HostileDaemon.start((line, socket) => {
      if (line.includes('/_ping')) return socket.end(PONG);
      return socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"status":"a"}\n');
    });
    open.push(daemon);
    const pulling = pullFrom(daemon);
    await expect(pulling).rejects.toBeInstanceOf(EngineError);
    await expect(pulling).rejects.toThrow('The daemon broke the pull off');
  });

  it('is not listened to for long when it refuses a pull', async () => {
    let sent = 0;
    const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const daemon = await HostileDaemon.start((line, socket) => {
      if (line.includes('/_ping')) return socket.end(PONG);
      const flood = () => {
        while (!socket.destroyed && socket.write(piece)) sent += piece.length;
        if (!socket.destroyed) socket.once('drain', flood);
      };
      socket.write('HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n');
      return flood();
    });
    open.push(daemon);
    await expect(pullFrom(daemon)).rejects.toMatchObject({ tag: 'engine-unavailable' });
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it('keeps no connection open by refusing a stream', async () => {
    const closed = Promise.withResolvers<void>();
    const daemon = await HostileDaemon.start((_line, socket) => {
      socket.on('close', closed.resolve);
      socket.write('HTTP/1.1 409 Conflict\r\nContent-Length: 19\r\n\r\n{"message":"ended"}');
    });
    open.push(daemon);
    const endpoint = resolveEndpoint({ endpoint: daemon.address, certificates: null }, 'container', {});
    const stream = openStream({ endpoint, path: '/start', body: {}, what: 'start the program' });
    await expect(stream).rejects.toMatchObject({ status: 409, message: expect.stringContaining('ended') });
    await closed.promise;
  });

  it('ST-25 has nothing removed but what is Airlock’s own, whatever it lists', async () => {
    const dead = JSON.stringify({
      machine: thisProcess().machine,
      pid: 4_194_303,
      startTime: '1',
      bootId: 'gone',
    });
    const listed = (id: string, name: string, labels: object) => ({
      ...{ Id: id.repeat(64), Names: [name], Image: 'i' },
      Labels: labels,
    });
    const daemon = await daemonThat((line) => {
      if (line.includes('/_ping')) return PONG;
      if (line.startsWith('DELETE')) return httpAnswer('', '204 No Content');
      return httpAnswer([
        listed('a', '/airlock-0123456789abcdef', { [LABELS.session]: 'mine', [LABELS.host]: dead }),
        listed('b', '/airlock-0123456789abcdef', { [LABELS.session]: 'other' }),
        // By its image.
        listed('c', '/database', { [LABELS.host]: dead }),
        listed('d', '/web', {}),
      ]);
    });
    const client = await clientOf(daemon);
    const removed = () => daemon.asked.filter((line) => line.startsWith('DELETE'));
    await removeSession(client, 'mine');
    expect(removed()).toEqual([expect.stringContaining('a'.repeat(64))]);
    await removeLeftOver(client);
    expect(removed().slice(1)).toEqual([expect.stringContaining('a'.repeat(64))]);
  });

  it('ST-26 keeps none of what dead hosts left from removal by refusing that of another', async () => {
    const host = JSON.stringify({ ...thisProcess(), pid: 4_194_303, startTime: '1' });
    const left = ['a', 'b', 'c'].map((id) => ({
      ...{ Id: id.repeat(64), Names: ['/airlock-0123456789abcdef'], Image: 'i' },
      Labels: { [LABELS.host]: host },
    }));
    const daemon = await daemonThat((line) => {
      if (line.includes('/_ping')) return PONG;
      if (!line.startsWith('DELETE')) return httpAnswer(left);
      return line.includes('aaa')
        ? httpAnswer({ message: 'busy' }, '500 No')
        : httpAnswer('', '204 No Content');
    });
    await expect(removeLeftOver(await clientOf(daemon))).rejects.toThrow('busy');
    expect(daemon.asked.filter((line) => line.startsWith('DELETE'))).toHaveLength(3);
  });

  it('ST-26 calls gone what it was already asked to remove, once it is', async () => {
    const id = 'a'.repeat(64);
    const host = JSON.stringify({ ...thisProcess(), startTime: '1' });
    const labels = { [LABELS.host]: host, [LABELS.session]: 's' };
    let isThere = true;
    let removing: Socket | null = null;
    const gone = httpAnswer({ message: 'none' }, '404 Not Found');
    const daemon = await HostileDaemon.start((line, socket) => {
      if (line.includes('/_ping')) return socket.end(PONG);
      if (line.includes('/info')) return socket.end(httpAnswer({}));
      if (line.includes('/containers/json'))
        return socket.end(
          httpAnswer([{ Id: id, Names: ['/airlock-0123456789abcdef'], Image: 'i', Labels: labels }]),
        );
      if (line.startsWith('DELETE') && removing === null) {
        removing = socket;
        return;
      }
      if (line.startsWith('DELETE'))
        return socket.end(httpAnswer({ message: 'removal is already in progress' }, '409 Conflict'));
      const facts = { Id: id, State: { Running: true }, Config: { Labels: labels }, HostConfig: {} };
      socket.end(isThere ? httpAnswer(facts) : gone);
      // Only when it was looked at after the refusal.
      if (daemon.asked.filter((asked) => asked.startsWith('DELETE')).length < 2) return;
      isThere = false;
      removing?.end(httpAnswer('', '204 No Content'));
    });
    open.push(daemon);
    const identity = { kind: 'container', id, endpoint: daemon.address, session: 's' } as const;
    expect(await new ContainerEngine({ privateFolders: [] }).recover(identity)).toEqual({ kind: 'removed' });
  });

  it('ST-26 holds no opening up with what it does not remove', async () => {
    const dead = JSON.stringify({ machine: thisProcess().machine, pid: 1, startTime: '1', bootId: 'gone' });
    const left = Array.from({ length: 100 }, (_, index) => ({
      ...{ Id: `${index}`.padStart(64, '0'), Names: ['/airlock-0123456789abcdef'], Image: 'i' },
      Labels: { [LABELS.host]: dead },
    }));
    const daemon = await HostileDaemon.start((line, socket) => {
      if (line.includes('/_ping')) socket.end(PONG);
      else if (!line.startsWith('DELETE')) socket.end(httpAnswer(line.includes('/info') ? {} : left));
    });
    open.push(daemon);
    const endpoint = resolveEndpoint({ endpoint: daemon.address, certificates: null }, 'container', {});
    expect(await settledWithin(new KnownDaemons().reach(endpoint), 7_000)).toBe(true);
    expect(daemon.asked.filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
  });

  it('ST-26 keeps the /out of a container that it does not remove, until it does', async () => {
    const data = mkdtempSync(join(tmpdir(), 'airlock-hostile-data-'));
    open.push({ close: () => rmSync(data, { recursive: true }) });
    const dead = JSON.stringify({ ...thisProcess(), startTime: '1' });
    const left = {
      ...{ Id: 'a'.repeat(64), Names: ['/airlock-0123456789abcdef'], Image: 'i' },
      Labels: { [LABELS.host]: dead },
    };
    const wasThere: boolean[] = [];
    const daemon = await daemonThat((line) => {
      if (line.includes('/_ping')) return PONG;
      if (line.includes('/info')) return httpAnswer({});
      if (line.includes('/images/')) return httpAnswer({ Id: 'sha256:1' });
      if (line.startsWith('GET')) return httpAnswer([left]);
      if (line.startsWith('DELETE')) wasThere.push(existsSync(path));
      return wasThere.length > 1
        ? httpAnswer('', '204 No Content')
        : httpAnswer({ message: 'busy' }, '500 No');
    });
    const place = { base: join(data, 'container-out'), daemon: daemon.address };
    const path = createOutFolder(place, 'left', { uid: 0, gid: 0, namespace: '', sameOnHost: true });
    writeFileSync(`${path}.host`, dead);
    const engine = new ContainerEngine({ privateFolders: [data] });
    const container = {
      ...{ endpoint: daemon.address, certificates: null },
      ...{ image: 'debian', runtime: 'default' as const },
    };
    const profile = profileOf(['/bin/sh'], { engine: 'container', container });
    for (const sessionId of ['first', 'second']) {
      const opening = engine.open({ sessionId, profile, project: null }, SIZE, AbortSignal.timeout(30_000));
      await expect(opening).rejects.toBeInstanceOf(EngineError);
    }
    expect(wasThere).toEqual([true, true]);
    await expect.poll(() => readdirSync(place.base), { timeout: 30_000 }).toEqual([]);
  });

  it('says so when its container is privileged, and that this is as good as its machine', async () => {
    const daemon = await daemonThat((line) =>
      line.includes('/_ping') ? PONG : httpAnswer(line.includes('/info') ? {} : containerFacts()),
    );
    const attach = { endpoint: daemon.address, certificates: null, container: 'mine' };
    const status = await new AttachEngine().probe(profileOf(['/bin/sh'], { engine: 'attach', attach }));
    expect(status.notes.join()).toContain('privileged');
  });
});

const SIZE = { cols: 80, rows: 24 };

const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u3164\u2800]/u;

function containerFacts() {
  return {
    Id: 'a'.repeat(64),
    Name: '/mine',
    State: { Running: true, Status: 'running' },
    Config: {},
    HostConfig: { Privileged: true, NetworkMode: 'none' },
  };
}
