import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { DockerClient } from './client.ts';
import { resolveEndpoint } from './endpoint.ts';
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
});
