import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { profileOf } from '../testing/sandbox-shell.ts';
import { ContainerEngine } from './engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-default-runtime-'));
let server: Server | null = null;
afterEach(() => {
  server?.close();
  rmSync(folder, { recursive: true });
});

it('a daemon whose own runtime is gVisor gives that to a profile that names none: in words, floor and posture', async () => {
  const created: { Entrypoint: string[]; HostConfig: object }[] = [];
  server = createServer(async (asked, answer) => {
    answer.setHeader('Api-Version', '1.47');
    answer.setHeader('Content-Type', 'application/json');
    const path = asked.url ?? '';
    if (path.includes('/containers/create')) {
      created.push(JSON.parse(await text(asked)));
      answer.statusCode = 500;
    }
    const facts = path.includes('/info')
      ? { Runtimes: { runsc: {} }, DefaultRuntime: 'runsc' }
      : { Id: 'sha256:1' };
    answer.end(JSON.stringify(path.includes('/containers/json') ? [] : facts));
  });
  const path = join(folder, 'socket');
  server.listen(path);
  await once(server, 'listening');
  const engine = new ContainerEngine({ privateFolders: [join(folder, 'data')] });
  const container = {
    endpoint: `unix://${path}`,
    certificates: null,
    image: 'i',
    runtime: 'default',
  } as const;
  const limits = { ...profileOf(['x']).limits, processes: 20 };
  const profile = profileOf(['/bin/program'], { engine: 'container', container, limits });
  expect((await engine.probe(profile)).notes).toContain(
    'Containers run on gVisor; each is asked for its kernel before its program begins.',
  );
  const spec = { sessionId: 'default', profile, project: null };
  const opening = engine.open(spec, { cols: 80, rows: 24 }, new AbortController().signal);
  await expect(opening).rejects.toMatchObject({ tag: 'open-failed' });
  expect(created).toMatchObject([{ HostConfig: { Runtime: 'runsc', PidsLimit: 128 } }]);
  // What the posture then says of the kernel was asked of the kernel.
  expect(created[0]?.Entrypoint).toContain('airlock-gate');
});
